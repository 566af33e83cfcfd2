// Texts of any characters for property tests.
import * as fc from "fast-check";

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

/**
 * One code point that is no surrogate, as a unit of `fc.string`. fast-check's own, "binary", makes a table of all million characters in every
 * worker that uses it: a third of a second, and 125 MB.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map((index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES), indexOf);

/** Up to twenty characters. */
export const anyText = fc.string({ unit: anyCharacter, maxLength: 20 });

function indexOf(character: unknown): number {
  const point = typeof character === "string" ? character.codePointAt(0) : undefined;
  if (point === undefined || character !== String.fromCodePoint(point)) throw new Error("not one character");
  return point < FIRST_SURROGATE ? point : point - SURROGATES;
}
