// Passes when a text or a regular expression is found in what the run produced.
import { z } from "zod";
import type { Check } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { searchTexts } from "../texts/artifact-texts.ts";
import { checkPattern, compilePattern } from "../patterns/pattern.ts";

const config = z
  .strictObject({
    pattern: z.string().min(1),
    regex: z.boolean().default(false),
    /** The name of the one artifact to look in; all when absent. */
    path: z.string().min(1).optional(),
  })
  .superRefine(({ pattern, regex }, context) => {
    if (regex) checkPattern(pattern, context);
  });

export const contains: Check<z.output<typeof config>> = {
  type: "contains",
  config,
  evaluate(subject, { pattern, regex, path }) {
    const what = regex ? `/${pattern}/` : quote(pattern);
    return searchTexts(subject, {
      path,
      accepts: compilePattern(pattern, regex),
      found: (name) => `${what} found in ${name}`,
      absent: (name) => `${what} not found${name === undefined ? "" : ` in ${name}`}`,
      excerpt: "text",
      ...(!regex && { near: pattern }),
    });
  },
};
