// Addresses are joined with paths; what ends in slashes would get too many of them.

/** Removes trailing slashes in a loop: a pattern tries again at every slash of a long row. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/") end--;
  return text.slice(0, end);
}
