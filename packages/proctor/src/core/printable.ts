// Text that others wrote (agents, files, the environment), made safe to print: no control character reaches a terminal.

// Control characters except tab and newline, and the marks that reorder or break lines on a screen.
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Returns a word of a file or an agent for a message: in quotes, on one line, not longer than `limit`. */
export function quote(word: string, limit = 80): string {
  const short = word.length > limit ? `${word.slice(0, limit)}…` : word;
  return printable(JSON.stringify(short));
}
