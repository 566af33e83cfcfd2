// A file name out of whatever a peer calls its file: the last part of a path, without what a header, a terminal or a file system could trip
// over.

/** Returns `artifact` where nothing is left. */
export function safeFileName(path: string): string {
  const last = path.split(/[/\\]/).findLast((part) => part !== "") ?? "";
  // Control characters, halves of characters, and the marks that turn text around and disguise an extension.
  const clean = last.replaceAll(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "").trim();
  const name = Array.from(clean).slice(0, 200).join("");
  return name === "" || /^\.+$/.test(name) ? "artifact" : name;
}
