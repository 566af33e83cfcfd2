// Regular expressions as people write them in files, where flags may stand in front as in Python: `(?i)error`.

const INLINE_FLAGS = /^\(\?([ims]+)\)/;

/** Throws a SyntaxError for a text that is not an expression. Matching must have a time limit. */
export function parsePattern(pattern: string, flags = ""): RegExp {
  const all = new Set(`${flags}${INLINE_FLAGS.exec(pattern)?.[1] ?? ""}`);
  return new RegExp(pattern.replace(INLINE_FLAGS, ""), [...all].join(""));
}
