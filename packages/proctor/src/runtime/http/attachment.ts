// `Content-Disposition: attachment` with a name that came from an agent (RFC 6266, RFC 5987): only the last part of its
// path, nothing a header or a file system could trip over.

export function attachment(path: string): string {
  const name = fileName(path);
  const ascii = name.replaceAll(/[^\x20-\x7e]/g, "_").replaceAll(/["\\%]/g, "_");
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtValue(name)}`;
}

function fileName(path: string): string {
  const last = path.split(/[/\\]/).findLast((part) => part !== "") ?? "";
  // Control characters, halves of characters, and the marks that turn text around and disguise an extension.
  const clean = last.replaceAll(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "").trim();
  const name = Array.from(clean).slice(0, 200).join("");
  return name === "" || /^\.+$/.test(name) ? "artifact" : name;
}

/** `ext-value` of RFC 5987: what encodeURIComponent leaves alone and the grammar does not allow is escaped too. */
function encodeExtValue(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
