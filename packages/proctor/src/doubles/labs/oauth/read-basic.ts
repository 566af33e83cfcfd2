// The id and the secret of a client in the header `Authorization: Basic` (RFC 6749, section 2.3.1).

export interface BasicCredentials {
  id: string;
  secret: string;
}

/** Returns undefined for another scheme, and for credentials that cannot be decoded. */
export function readBasic(header: string): BasicCredentials | undefined {
  const [, encoded] = /^Basic +(\S+)$/i.exec(header) ?? [];
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? "", "base64").toString()) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  try {
    return { id: decodeForm(id), secret: decodeForm(secret) };
  } catch {
    return undefined;
  }
}

/** Decodes an id or a secret, which are form-encoded before they are joined: a plus is a blank. */
function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}
