// Passes when a regular expression matches in what the run produced.
import { z } from "zod";
import type { Check } from "../check.ts";
import { searchTexts } from "../texts/artifact-texts.ts";
import { checkPattern, compilePattern } from "../patterns/pattern.ts";

const config = z
  .strictObject({
    pattern: z.string().min(1),
    flags: z
      .string()
      .regex(/^[imsu]*$/, `"flags" are of i, m, s and u`)
      .default(""),
    path: z.string().min(1).optional(),
  })
  .superRefine(({ pattern, flags }, context) => {
    // Wrong flags are told by themselves.
    checkPattern(pattern, context, "pattern", flags.replaceAll(/[^imsu]/g, ""));
  });

export const regex: Check<z.output<typeof config>> = {
  type: "regex",
  config,
  evaluate(subject, { pattern, flags, path }) {
    const what = `/${pattern}/${flags}`;
    return searchTexts(subject, {
      path,
      accepts: compilePattern(pattern, true, flags),
      found: (name) => `${what} matches in ${name}`,
      absent: (name) => (name === undefined ? `nothing matches ${what}` : `${name} does not match ${what}`),
      excerpt: "text",
    });
  },
};
