// A key of 32 bytes as people write it: base64 or hex.

export const KEY_BYTES = 32;

/** Returns undefined for a text that is not a key of 32 bytes. */
export function readKey(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, "hex");
  const key = Buffer.from(trimmed, "base64");
  // Base64 has several spellings of the same bytes, with and without padding and with other characters.
  const spellings = [
    key.toString("base64"),
    key.toString("base64").replaceAll("=", ""),
    key.toString("base64url"),
  ];
  return key.length === KEY_BYTES && spellings.includes(trimmed) ? key : undefined;
}
