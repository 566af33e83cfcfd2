// Passes when a language model finds the run good by one of a few known criteria, as suites of the ATP platform have it.
import { z } from "zod";
import type { Check } from "../check.ts";
import { addError } from "../../runtime/yaml/findings.ts";
import { askJudge } from "../judge/judge-verdict.ts";

const CUSTOM = "custom";

const CRITERIA = {
  factual_accuracy: "Everything that is stated as a fact is true: names, numbers, dates, events, quotations.",
  completeness: "Every part of the task is done, and nothing that it asks for is missing.",
  relevance: "All of it serves the task; nothing is beside the point.",
  coherence: "It holds together: one thing follows from another, and nothing contradicts the rest.",
  clarity:
    "A reader of the intended kind understands it at the first reading; it is ordered and plainly worded.",
  actionability: "A reader can act on it: what to do is concrete, possible and in a usable order.",
  quality:
    "It is work that a professional would hand over. For code: correct, readable, well named, handling errors, in the idiom of its language.",
} as const;

const NAMES = [...Object.keys(CRITERIA), CUSTOM] as [keyof typeof CRITERIA | typeof CUSTOM];

const config = z
  .strictObject({
    criteria: z.enum(NAMES).optional(),
    prompt: z.string().trim().min(1).max(20_000).optional(),
    threshold: z.number().min(0).max(1).default(0.7),
    path: z.string().min(1).optional(),
    num_runs: z.int().min(1).max(10).default(1),
  })
  .superRefine(({ criteria = CUSTOM, prompt }, context) => {
    if (criteria === CUSTOM && prompt === undefined)
      addError(context, `"prompt" is missing: it says what is judged, unless "criteria" names it`);
  });

export const llmEval: Check<z.output<typeof config>> = {
  type: "llm_eval",
  config,
  needsJudge: () => true,
  evaluate(subject, { criteria = CUSTOM, prompt, threshold, path, num_runs: votes }) {
    const known = criteria === CUSTOM ? [] : [CRITERIA[criteria]];
    return askJudge(subject, {
      rubric: [...known, ...(prompt === undefined ? [] : [prompt])].join("\n\n"),
      path,
      include: ["task", "artifacts"],
      scale: { min: 0, max: 1 },
      threshold,
      votes,
      model: undefined,
      temperature: 0,
      cache: true,
    });
  },
};
