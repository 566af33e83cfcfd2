// The ways in which a declarative test says what a text should be: exactly, in part, by a pattern.
import { z } from "zod";
import { parsePattern } from "../../core/parse-pattern.ts";
import { quote } from "../../core/printable.ts";
import { addError } from "../../runtime/yaml/findings.ts";
import { compilePattern } from "../patterns/pattern.ts";

const several = z.union([z.string(), z.array(z.string()).min(1)]);

/** A regular expression, which must match the whole text. */
export const patternText = z
  .string()
  .min(1)
  .superRefine((pattern, context) => {
    try {
      parsePattern(pattern);
    } catch (error) {
      addError(context, error);
    }
  });

/** Keys of the matchers, each with what it may be. */
export const TEXT_MATCHERS = {
  text_exact: z.string().exactOptional(),
  text_contains: several.exactOptional(),
  text_not_contains: several.exactOptional(),
  text_matches_regex: patternText.exactOptional(),
} as const;

export interface TextMatchers {
  text_exact?: string;
  text_contains?: string | string[];
  text_not_contains?: string | string[];
  text_matches_regex?: string;
}

/** Returns the problems of the text, one sentence each; none when it is as expected. All line breaks count as the same. */
export function textProblems(text: string, matchers: TextMatchers): string[] {
  const { text_exact: exact, text_contains, text_not_contains, text_matches_regex: regex } = matchers;
  const actual = plainBreaks(text);
  const problems: string[] = [];
  if (exact !== undefined && actual !== plainBreaks(exact)) problems.push(`is not exactly ${shown(exact)}`);
  for (const part of listOf(text_contains))
    if (!actual.includes(plainBreaks(part))) problems.push(`does not contain ${shown(part)}`);
  for (const part of listOf(text_not_contains))
    if (actual.includes(plainBreaks(part))) problems.push(`contains ${shown(part)}`);
  if (regex !== undefined && !matchesWhole(actual, regex)) problems.push(`does not match /${regex}/`);
  return problems.map((problem) => `${shown(text)} ${problem}`);
}

/** Throws TooSlowError when the pattern takes too much CPU time. */
export function matchesWhole(text: string, pattern: string): boolean {
  const [flags = ""] = /^\(\?[ims]+\)/.exec(pattern) ?? [];
  return compilePattern(`${flags}^(?:${pattern.slice(flags.length)})$`, true)([plainBreaks(text)]);
}

/** Texts from YAML and from agents may end their lines differently. */
export function plainBreaks(text: string): string {
  return text.replaceAll("\r\n", "\n").trimEnd();
}

function listOf(value: string | string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}

function shown(text: string): string {
  return quote(text, 200);
}
