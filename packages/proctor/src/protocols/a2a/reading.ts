// The notes of one reading of a peer's message: what is wrong, where, by which section. Whoever starts the reading decides what follows:
// a client's request is refused, an agent's answer is used as far as it can be.
import { wrongType } from "../../core/describe-issues.ts";
import type { Json } from "../../core/json.ts";
import type { WireProblem } from "./codec.ts";
import { createTrail, type Trail } from "./trail.ts";

/** Problems that are noted: a message of 10 MB can be wrong in millions of places, and more than these help nobody. */
export const MAX_NOTES = 100;

/** Reads a field: returns the value to use (the same where nothing was wrong), or undefined where it cannot be used. */
export type Reader = (value: Json, reading: Reading) => Json | undefined;

/** A class, because one is made for each message: its methods are shared. */
export class Reading implements Trail {
  readonly notes: WireProblem[] = [];
  /** Number of problems, noted or not. */
  found = 0;
  /** The section that has the rules of what is being read. */
  section: string | undefined = undefined;
  readonly #trail: Trail;
  readonly #notesOdd: boolean;

  constructor({ root, notesOdd }: ReadingOptions) {
    this.#trail = createTrail(root);
    this.#notesOdd = notesOdd;
  }

  enter(key: string | number): void {
    this.#trail.enter(key);
  }

  leave(): void {
    this.#trail.leave();
  }

  path(field?: string | number): string {
    return this.#trail.path(field);
  }

  /** Notes a problem that a request is refused for. Returns undefined, like a reader that cannot use the value. */
  wrong(words: string, field?: string | number): undefined {
    this.found += 1;
    if (this.notes.length >= MAX_NOTES) return;
    const { section } = this;
    this.notes.push({ path: this.path(field), message: words, ...(section !== undefined && { section }) });
  }

  wrongType(expected: string, value: Json): undefined {
    this.wrong(wrongType(expected, value));
  }

  /** Notes something that the document forbids but every peer can understand: accepted in requests, noted in answers. */
  odd(words: string, field?: string | number): void {
    if (this.#notesOdd) this.wrong(words, field);
  }
}

interface ReadingOptions {
  root?: string;
  /** True when what is merely odd is noted too. */
  notesOdd: boolean;
}
