// The keys of the checks of style, as suites of the ATP platform have them, in groups that one check or all of them take.
import { z } from "zod";
import { addError } from "../../runtime/yaml/findings.ts";
import { checkPattern } from "../patterns/pattern.ts";
import { TONES } from "./tone.ts";

const limit = z.number().optional();
const words = z.array(z.string().trim().min(1).max(200)).max(1000).optional();
const patterns = z.array(z.string().min(1).max(2000)).max(100).optional();

/** The name of the only artifact to look at; all artifacts when absent. */
const pathKey = { path: z.string().min(1).optional() };

export const toneKeys = {
  expected_tone: z.enum(TONES).optional(),
  tone_threshold: z.number().min(0).max(1).default(0.7),
};

export const readabilityKeys = {
  max_flesch_kincaid_grade: limit,
  min_flesch_reading_ease: limit,
  max_smog_grade: limit,
  max_coleman_liau_grade: limit,
};

export const passiveKeys = { max_passive_voice_percentage: z.number().min(0).max(100).optional() };

export const lengthKeys = {
  max_avg_sentence_length: z.number().positive().optional(),
  min_avg_sentence_length: z.number().positive().optional(),
  max_sentence_length: z.int().positive().optional(),
};

export const ruleKeys = {
  forbidden_words: words,
  required_words: words,
  forbidden_patterns: patterns,
  required_patterns: patterns,
};

export const allKeys = { ...toneKeys, ...readabilityKeys, ...passiveKeys, ...lengthKeys, ...ruleKeys };

const all = z.strictObject({ ...pathKey, ...allKeys });

/** The keys of all checks of style; each check takes a part of them. */
export type StyleConfig = Partial<z.output<typeof all>>;

/** A schema with these keys and `path`, which asks for at least one limit. */
export function styleSchema(keys: z.ZodRawShape): z.ZodType<StyleConfig> {
  const asked = Object.keys(keys).filter((key) => key !== "tone_threshold");
  return z.strictObject({ ...pathKey, ...keys }).superRefine((given, context) => {
    const config: Record<string, unknown> = given;
    const isGiven = (key: string): boolean => {
      const value = config[key];
      return Array.isArray(value) ? value.length > 0 : value !== undefined;
    };
    if (!asked.some(isGiven)) addError(context, `there is nothing to check: give ${asked.join(", ")}`);
    for (const key of ["forbidden_patterns", "required_patterns"]) checkPatterns(config[key], key, context);
  });
}

function checkPatterns(value: unknown, key: string, context: z.RefinementCtx): void {
  if (!Array.isArray(value)) return;
  for (const pattern of value) if (typeof pattern === "string") checkPattern(pattern, context, key);
}
