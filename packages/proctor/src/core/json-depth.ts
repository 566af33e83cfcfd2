// How deeply JSON text is nested, found without parsing it: recursion over hostile documents is how programs fall over.

/** Deeper than any honest message, and far too shallow to exhaust the stack. */
export const MAX_JSON_DEPTH = 200;

const QUOTE = 34;
const BACKSLASH = 92;

export function isTooDeep(text: string, limit: number = MAX_JSON_DEPTH): boolean {
  if (text.length <= limit || countOpenings(text, limit) <= limit) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === 91 || code === 123) {
      if (++depth > limit) return true;
    } else if (code === 93 || code === 125) depth--;
  }
  return false;
}

/** Counts the opening brackets anywhere in the text, strings included, up to the limit: nearly every message has few. */
function countOpenings(text: string, limit: number): number {
  let count = 0;
  for (const bracket of ["{", "["]) {
    for (let at = text.indexOf(bracket); at !== -1 && count <= limit; at = text.indexOf(bracket, at + 1)) {
      count++;
    }
  }
  return count;
}

/** Returns the index of the quote that closes the string opened at `start`; the length of the text when there is none. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
