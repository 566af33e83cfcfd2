// "Did you mean": the known word that a mistyped one is closest to.

import { quote } from "./printable.ts";

/** A longer word is no typing mistake, and comparing it would cost the square of its length. */
const MAX_LENGTH = 64;

/** Returns undefined when nothing is close: at most one slip for every three characters. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  let best: string | undefined;
  let bestDistance = Infinity;
  for (const candidate of known) {
    const longer = Math.max(word.length, candidate.length);
    const limit = Math.max(1, Math.floor(longer / 3));
    if (candidate.length > MAX_LENGTH || Math.abs(word.length - candidate.length) > limit) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && distance < longer && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Returns the hint after a word that is not known: the closest known one, or else `otherwise`. */
export function didYouMean(word: string, known: readonly string[]): string | undefined;
export function didYouMean(word: string, known: readonly string[], otherwise: string): string;
export function didYouMean(word: string, known: readonly string[], otherwise?: string): string | undefined {
  const similar = suggest(word, known);
  return similar === undefined ? otherwise : `did you mean ${quote(similar)}?`;
}

/** Damerau's distance: insertions, deletions, replacements, and two neighbours swapped, each counted as one. */
function editDistance(from: string, to: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (older[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    older = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}
