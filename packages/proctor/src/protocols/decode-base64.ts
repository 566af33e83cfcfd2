// Base64 as agents send it: either alphabet, folded, with or without padding.

const DECODABLE = /^[A-Za-z0-9+/_\s-]*(?:=\s*){0,2}$/;

/** Returns undefined for anything else, which would be decoded to other bytes than were meant. */
export function decodeBase64(text: string): Buffer | undefined {
  const isDecodable = DECODABLE.test(text) && text.replaceAll(/[\s=]/g, "").length % 4 !== 1;
  return isDecodable ? Buffer.from(text, "base64") : undefined;
}
