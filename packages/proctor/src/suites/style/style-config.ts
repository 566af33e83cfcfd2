// The keys of the checks of style, as suites of the ATP platform have them, in groups that one check or all of them take.
import { z } from "zod";
import { addError } from "../../runtime/yaml/findings.ts";
import { checkPattern } from "../patterns/pattern.ts";
import { TONES } from "./tone.ts";

const limit = z.number().optional();
const words = z.array(z.string().trim().min(1).max(200)).max(1000).optional();
const patterns = z.array(z.string().min(1).max(2000)).max(100).optional();

/** The name of the one artifact to look at; all when absent. */
export const pathKey = { path: z.string().min(1).optional() };

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

const all = z.strictObject({
  ...pathKey,
  ...toneKeys,
  ...readabilityKeys,
  ...passiveKeys,
  ...lengthKeys,
  ...ruleKeys,
});

/** What any of the checks may be told. */
export type StyleConfig = Partial<z.output<typeof all>>;

export function styleSchema<S extends z.ZodRawShape>(shape: S) {
  const asked = Object.keys(shape).filter((key) => key !== "path" && key !== "tone_threshold");
  return z.strictObject(shape).superRefine((given, context) => {
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
