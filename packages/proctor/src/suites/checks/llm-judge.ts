// Passes when a language model finds that the run meets a rubric.
import { z } from "zod";
import type { Check } from "../check.ts";
import { addError } from "../../runtime/yaml/findings.ts";
import { INCLUDES } from "../judge/judge-material.ts";
import { askJudge } from "../judge/judge-verdict.ts";

const MAX_CHARS = 20_000;
const text = z.string().trim().min(1).max(MAX_CHARS);
const DEFAULT_SCALE = { min: 0, max: 1 };
/** The default threshold, as a share of the scale. */
const DEFAULT_SHARE = 0.7;

const config = z
  .strictObject({
    rubric: text,
    /** The name of the only artifact to judge; all artifacts when absent. */
    path: z.string().min(1).optional(),
    include: z.array(z.enum(INCLUDES)).min(1).default(["task", "artifacts"]),
    scale: z.strictObject({ min: z.number(), max: z.number() }).default(DEFAULT_SCALE),
    /** The least score that passes, in the units of the scale. */
    threshold: z.number().optional(),
    votes: z.int().min(1).max(15).default(1),
    model: z.string().min(1).optional(),
    temperature: z.number().min(0).max(2).default(0),
    examples: z
      .array(z.strictObject({ input: text, score: z.number(), reason: text.optional() }))
      .max(20)
      .optional(),
    reference: text.optional(),
    cache: z.boolean().default(true),
  })
  .superRefine(({ scale, threshold, votes, examples = [], include, path }, context) => {
    const { min, max } = scale;
    if (min >= max) return addError(context, `"min" must be less than "max"`, ["scale"]);
    const outside = (score: number): boolean => score < min || score > max;
    if (threshold !== undefined && outside(threshold))
      addError(context, `"threshold" must be on the scale, from ${min} to ${max}`, ["threshold"]);
    for (const [index, { score }] of examples.entries())
      if (outside(score))
        addError(context, `"score" must be on the scale, from ${min} to ${max}`, [
          "examples",
          index,
          "score",
        ]);
    if (votes % 2 === 0) addError(context, `"votes" must be odd: one of them is in the middle`, ["votes"]);
    if (path !== undefined && !include.includes("artifacts"))
      addError(context, `"path" names an artifact, and "include" leaves artifacts out`, ["path"]);
  });

export const llmJudge: Check<z.output<typeof config>> = {
  type: "llm_judge",
  config,
  needsJudge: () => true,
  evaluate(subject, { threshold, scale, ...rest }) {
    const least = threshold ?? scale.min + (scale.max - scale.min) * DEFAULT_SHARE;
    return askJudge(subject, { path: undefined, model: undefined, ...rest, scale, threshold: least });
  },
};
