// How alike two texts are: Levenshtein's distance, as a share of the longer one.

/** More would take too long: the work grows with the product of the lengths. */
export const MAX_COMPARED_CHARS = 10_000;

/** 1 for equal texts, 0 when no character stays. Characters are code points. */
export function similarityOf(one: string, other: string): number {
  const a = codePoints(one);
  const b = codePoints(other);
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 1 : 1 - distance(a, b) / longer;
}

/** Insertions, deletions and replacements, each counted as one. */
function distance(a: Uint32Array, b: Uint32Array): number {
  const row = Uint32Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, character] of a.entries()) {
    let diagonal = row[0] ?? 0;
    row[0] = index + 1;
    for (let column = 1; column <= b.length; column++) {
      const above = row[column] ?? 0;
      const replaced = diagonal + (character === b[column - 1] ? 0 : 1);
      row[column] = Math.min(replaced, above + 1, (row[column - 1] ?? 0) + 1);
      diagonal = above;
    }
  }
  return row[b.length] ?? 0;
}

function codePoints(text: string): Uint32Array {
  return Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0);
}
