// The notes of one reading of a peer's message: what is wrong, where, by which section. Whoever starts the reading decides what follows:
// a client's request is refused, an agent's answer is used as far as it can be.
import { wrongType } from "../../core/describe-issues.ts";
import type { Json } from "../../core/json.ts";
import type { WireProblem } from "./codec.ts";
import { createTrail, type Trail } from "./trail.ts";

/** A message of 10 MB can be wrong in millions of places; nobody reads more than these. */
export const MAX_NOTES = 100;

/** A field as it is read: the value to use (the same where nothing was wrong), or undefined where it cannot be used. */
export type Reader = (value: Json, reading: Reading) => Json | undefined;

export interface Reading extends Trail {
  readonly notes: readonly WireProblem[];
  /** How often something was wrong, noted or not. */
  readonly found: number;
  /** The section that has the rules of what is being read. */
  section: string | undefined;
  /** Notes something that a request is refused for. Its result is that of a reader which cannot use the value. */
  wrong(words: string, field?: string | number): undefined;
  wrongType(expected: string, value: Json): undefined;
  /** Notes something that the document forbids and every peer can understand: taken in requests, noted in answers. */
  odd(words: string, field?: string | number): void;
}

interface ReadingOptions {
  root?: string;
  /** Whether what is merely odd is noted too. */
  notesOdd: boolean;
}

export function createReading({ root, notesOdd }: ReadingOptions): Reading {
  const trail = createTrail(root);
  const notes: WireProblem[] = [];
  let found = 0;
  const reading: Reading = {
    ...trail,
    notes,
    get found() {
      return found;
    },
    section: undefined,
    wrong(words, field) {
      found += 1;
      if (notes.length >= MAX_NOTES) return;
      const { section } = reading;
      notes.push({ path: trail.path(field), message: words, ...(section !== undefined && { section }) });
    },
    wrongType: (expected, value) => reading.wrong(wrongType(expected, value)),
    odd(words, field) {
      if (notesOdd) reading.wrong(words, field);
    },
  };
  return reading;
}
