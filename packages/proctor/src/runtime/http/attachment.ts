// `Content-Disposition: attachment` with a name that came from an agent (RFC 6266, RFC 5987): only the last part of its
// path, nothing a header or a file system could trip over.
import { safeFileName } from "../../core/safe-file-name.ts";

export function attachment(path: string): string {
  const name = safeFileName(path);
  const ascii = name.replaceAll(/[^\x20-\x7e]/g, "_").replaceAll(/["\\%]/g, "_");
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtValue(name)}`;
}

/** `ext-value` of RFC 5987: what encodeURIComponent leaves alone and the grammar does not allow is escaped too. */
function encodeExtValue(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
