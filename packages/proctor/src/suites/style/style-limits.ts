// What a text is measured by, and whether each limit that was given holds.
import { quote } from "../../core/printable.ts";
import { parsePattern } from "../../core/parse-pattern.ts";
import { isPassive } from "./passive-voice.ts";
import type { Prose } from "./prose.ts";
import { measureReadability } from "./readability.ts";
import { measureTones } from "./tone.ts";
import type { StyleConfig } from "./style-config.ts";
import { quoted } from "../texts/words.ts";

export interface Limit {
  holds: boolean;
  /** The measured value and the limit, in words. */
  said: string;
}

interface Measured {
  limits: Limit[];
  metrics: Record<string, number>;
}

/** Measures what is known only of English texts. */
export function measureEnglish(prose: Prose, config: StyleConfig): Measured {
  const { expected_tone: tone, tone_threshold: least = 0.7 } = config;
  const limits: Limit[] = [];
  const metrics: Record<string, number> = {};
  if (tone !== undefined) {
    const tones = measureTones(prose);
    limits.push(atLeast(`${tone} tone`, tones[tone], least));
    for (const [name, value] of Object.entries(tones)) metrics[`${name}_tone`] = round(value);
  }
  const readability = measureReadability(prose);
  const formulas = [
    ["reading ease (Flesch)", readability.fleschReadingEase, config.min_flesch_reading_ease, atLeast],
    ["grade (Flesch-Kincaid)", readability.fleschKincaidGrade, config.max_flesch_kincaid_grade, atMost],
    ["grade (SMOG)", readability.smogGrade, config.max_smog_grade, atMost],
    ["grade (Coleman-Liau)", readability.colemanLiauGrade, config.max_coleman_liau_grade, atMost],
  ] as const;
  for (const [name, value, bound, compare] of formulas)
    if (bound !== undefined) limits.push(compare(name, value, bound));
  if (formulas.some(([, , bound]) => bound !== undefined)) {
    metrics["flesch_reading_ease"] = round(readability.fleschReadingEase);
    metrics["flesch_kincaid_grade"] = round(readability.fleschKincaidGrade);
    metrics["smog_grade"] = round(readability.smogGrade);
    metrics["coleman_liau_grade"] = round(readability.colemanLiauGrade);
  }
  const { max_passive_voice_percentage: most } = config;
  if (most !== undefined) {
    const passive = prose.sentences.filter(isPassive).length;
    const percentage = (100 * passive) / prose.sentences.length;
    limits.push(atMost("passive sentences", percentage, most, " %"));
    metrics["passive_voice_percentage"] = round(percentage);
  }
  return { limits, metrics };
}

/** Measures prose that has at least one sentence. */
export function measureSentences({ sentences, raw, words }: Prose, config: StyleConfig): Measured {
  const limits: Limit[] = [];
  const average = words.length / sentences.length;
  const lengths = sentences.map(({ length }) => length);
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  const { max_avg_sentence_length: most, min_avg_sentence_length: least, max_sentence_length: max } = config;
  if (most !== undefined) limits.push(atMost("average sentence", average, most, " words"));
  if (least !== undefined) limits.push(atLeast("average sentence", average, least, " words"));
  if (max !== undefined) {
    const limit = atMost("longest sentence", longest, max, " words");
    const shown = limit.holds ? "" : `: ${quote(raw[lengths.indexOf(longest)] ?? "")}`;
    limits.push({ ...limit, said: `${limit.said}${shown}` });
  }
  return {
    limits,
    metrics: { sentences: sentences.length, avg_sentence_length: round(average), longest_sentence: longest },
  };
}

export function applyRules(texts: readonly string[], config: StyleConfig): Limit[] {
  const occurs = (expression: RegExp): boolean => texts.some((text) => expression.test(text));
  const { forbidden_words: noWords = [], required_words: words = [] } = config;
  const { forbidden_patterns: noPatterns = [], required_patterns: patterns = [] } = config;
  const rule = (given: readonly string[], wrong: readonly string[], good: string, bad: string): Limit[] => {
    if (given.length === 0) return [];
    return [{ holds: wrong.length === 0, said: wrong.length === 0 ? good : `${bad} ${quoted(wrong)}` }];
  };
  // As on the ATP platform, case does not matter.
  const matches = (pattern: string): boolean => occurs(parsePattern(pattern, "i"));
  const has = (word: string): boolean => occurs(wholeWord(word));
  const lacks = (test: (what: string) => boolean) => (what: string) => !test(what);
  return [
    ...rule(noWords, noWords.filter(has), "no forbidden words", "forbidden words:"),
    ...rule(words, words.filter(lacks(has)), "all required words", "missing words:"),
    ...rule(noPatterns, noPatterns.filter(matches), "no forbidden patterns", "forbidden patterns:"),
    ...rule(patterns, patterns.filter(lacks(matches)), "all required patterns", "missing patterns:"),
  ];
}

/** Matches whole words: "art" is not found in "start". White space inside matches any white space. */
function wholeWord(word: string): RegExp {
  const escaped = word
    .replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
    .replaceAll(/\s+/g, String.raw`\s+`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])${escaped}(?![\p{L}\p{N}_])`, "iu");
}

function atMost(name: string, value: number, most: number, unit = ""): Limit {
  return { holds: value <= most, said: `${name} ${round(value)}${unit}, at most ${most} expected` };
}

function atLeast(name: string, value: number, least: number, unit = ""): Limit {
  return { holds: value >= least, said: `${name} ${round(value)}${unit}, at least ${least} expected` };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
