// How hard an English text is to read, by four formulas that are in common use. Syllables are estimated from the spelling.
import type { Prose } from "./prose.ts";

interface Readability {
  /** Flesch's reading ease: 100 is very easy, 0 very hard. */
  fleschReadingEase: number;
  /** The grades are years of school. */
  fleschKincaidGrade: number;
  smogGrade: number;
  colemanLiauGrade: number;
}

export function measureReadability({ sentences, words }: Prose): Readability {
  const syllables = words.map(countSyllables);
  const total = syllables.reduce((sum, count) => sum + count, 0);
  const long = syllables.filter((count) => count >= 3).length;
  const letters = words.reduce((sum, word) => sum + word.replaceAll(/[^\p{L}\p{N}]/gu, "").length, 0);
  const perSentence = words.length / sentences.length;
  const perWord = total / words.length;
  return {
    fleschReadingEase: 206.835 - 1.015 * perSentence - 84.6 * perWord,
    fleschKincaidGrade: 0.39 * perSentence + 11.8 * perWord - 15.59,
    smogGrade: 1.043 * Math.sqrt((long * 30) / sentences.length) + 3.1291,
    colemanLiauGrade: (5.88 * letters) / words.length - (29.6 * sentences.length) / words.length - 15.8,
  };
}

/** Counts groups of vowels, without silent ones. */
export function countSyllables(word: string): number {
  return word
    .toLowerCase()
    .split(/[-']/)
    .filter((part) => part !== "" && !/^(?:s|t|d|m|ll|re|ve)$/.test(part))
    .reduce((sum, part) => sum + syllablesOf(part), 0);
}

function syllablesOf(part: string): number {
  // "named" has one, "wanted" two; "makes" one, "boxes" two.
  const spoken = part.replace(/([^aeiouytd])ed$/, "$1d").replace(/([^aeiouyszxcgh])es$/, "$1s");
  const groups = spoken.match(VOWELS)?.length ?? 0;
  // "table" keeps its e, "make" does not.
  const silent = /[^aeiouy]e$/.test(spoken) && !/[^aeiouy]le$/.test(spoken) ? 1 : 0;
  const apart = spoken.match(APART)?.length ?? 0;
  return Math.max(1, groups - silent + apart);
}

const VOWELS = /[aeiouyà-öø-ÿ]+/g;
/** Adjacent vowels that are spoken apart: "media", "radio", "being", "idea", "quiet". */
const APART = /[^tscg]ia|io(?!n|us)|[eauo]ing$|ea$|crea(?=t)|ie(?=t$|nc)/g;
