// Which facts a text states, and which it contradicts, by words and numbers alone. A fact that it does not mention, or mentions
// without saying anything that could be compared, stays open.
import type { Fact } from "./ground-truth.ts";
import { isYear, numbersIn, same, yearsIn } from "./numbers-in.ts";

export interface Verified {
  fact: Fact;
  status: "confirmed" | "contradicted" | "open";
  /** The sentence that decided it. */
  evidence?: string;
  /** The sentence that contradicts the fact, where another one confirms it. */
  inconsistent?: string;
}

/** The share of the subject's words that a sentence must have to confirm a fact; to contradict it, it must have all. */
const MOST = 0.65;
const STOP_WORDS = new Set("the a an of in on to for and or is was are were by at its this that".split(" "));
const MAX_SENTENCE_CHARS = 2000;

interface Sentence {
  text: string;
  normal: string;
  stems: ReadonlySet<string>;
}

export function verifyFacts(texts: readonly string[], facts: readonly Fact[]): Verified[] {
  const sentences = texts.flatMap((text) => text.split(/\n|(?<=[.!?])\s+/)).flatMap(sentenceOf);
  return facts.map((fact) => verify(fact, sentences));
}

function verify(fact: Fact, sentences: readonly Sentence[]): Verified {
  const stems = [...new Set(wordsIn(fact.subject).map(stem))];
  let right: string | undefined;
  let wrong: string | undefined;
  for (const sentence of sentences) {
    const share = stems.filter((one) => sentence.stems.has(one)).length / Math.max(1, stems.length);
    if (share < MOST) continue;
    if (fact.values.some((value) => states(sentence, value))) right ??= sentence.text;
    else if (share === 1 && deniesAll(sentence, fact)) wrong ??= sentence.text;
  }
  if (right !== undefined) {
    const inconsistent = wrong === undefined ? {} : { inconsistent: wrong };
    return { fact, status: "confirmed", evidence: right, ...inconsistent };
  }
  return wrong === undefined ? { fact, status: "open" } : { fact, status: "contradicted", evidence: wrong };
}

function states({ text, normal }: Sentence, value: string): boolean {
  if (` ${normal} `.includes(` ${normalise(value)} `)) return true;
  const expected = soleNumber(value);
  return expected !== undefined && numbersIn(text).some((number) => same(number, expected));
}

/** Whether the sentence states another value of the same kind. */
function deniesAll(sentence: Sentence, { kind, subject, values }: Fact): boolean {
  const years = values.flatMap(yearsIn);
  if (kind === "date" || (years.length > 0 && values.every((value) => /^\d{4}$/.test(value))))
    return years.length > 0 && yearsIn(sentence.text).some((year) => !years.includes(year));
  const numbers = values.map(soleNumber);
  if (numbers.every((number) => number !== undefined)) {
    // A year next to a number says when, not how much.
    const stated = numbersIn(sentence.text).filter((number) => !isYear(number) || numbers.some(isYear));
    const named = numbersIn(subject);
    return stated.some((number) => !named.some((own) => same(own, number)));
  }
  return values.every((value) => namesAnother(sentence, subject, value));
}

const NAME =
  /(?:\b(?:is|was|are|were|by)|[:=–-])\s+(?:the |a |an )?"?((?:\p{Lu}[\p{L}\p{N}'’.-]{0,40}\s?){1,4})/gu;

/** Whether the sentence names another person, as in "The founder was Ada Lovelace". */
function namesAnother({ text }: Sentence, subject: string, value: string): boolean {
  if (!/^\p{Lu}/u.test(value)) return false;
  const known = new Set([...wordsIn(value), ...wordsIn(subject)]);
  return Array.from(text.matchAll(NAME), ([, name = ""]) => wordsIn(name)).some(
    (words) => words.length > 0 && !words.some((word) => known.has(word)),
  );
}

/** The number of a value that is one number, perhaps with a unit or a sign. */
function soleNumber(value: string): number | undefined {
  const numbers = numbersIn(value);
  return numbers.length === 1 && /^[^\p{L}]*\d[\d.,'\s]*\s?(?:\p{L}+|[%€$£]|\s)*$/u.test(value)
    ? numbers[0]
    : undefined;
}

function sentenceOf(text: string): Sentence[] {
  const short = text.slice(0, MAX_SENTENCE_CHARS).trim();
  if (short === "") return [];
  return [{ text: short, normal: normalise(short), stems: new Set(wordsIn(short).map(stem)) }];
}

function wordsIn(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word));
}

/** "founded", "founding" and "founder" have the same stem. */
function stem(word: string): string {
  return word.slice(0, 5);
}

function normalise(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}
