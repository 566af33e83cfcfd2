// What others wrote, as a part of one line: nothing in it moves the cursor, and it is not longer than anyone reads.
import { printable } from "../../../core/printable.ts";
import { shorten } from "../../../core/shorten.ts";

const MAX_CHARACTERS = 500;

export function lineOf(text: string): string {
  return printable(shorten(text, MAX_CHARACTERS).toWellFormed()).replaceAll(/[\n\t]+/g, " ");
}
