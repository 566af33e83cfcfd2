// Passes when a text that the run produced is exactly this one, or its data exactly this value.
import { z } from "zod";
import { canonicalJson } from "../../core/canonical-json.ts";
import { isTooDeep } from "../../core/json-depth.ts";
import type { Json } from "../../core/json.ts";
import type { Check } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { searchTexts } from "../texts/artifact-texts.ts";
import { json } from "../../runtime/yaml/scalars.ts";
import { parseJson } from "../json/parse-json.ts";
import { shown } from "../texts/words.ts";

const config = z
  .strictObject({
    /** Either this or `value`. */
    text: z.string().optional(),
    value: json.optional(),
    path: z.string().min(1).optional(),
    ignore_case: z.boolean().default(false),
    trim: z.boolean().default(false),
  })
  .superRefine(({ text, value, ignore_case: ignoreCase, trim }, context) => {
    if ((text === undefined) === (value === undefined))
      context.addIssue({ code: "custom", message: `give either "text" or "value"` });
    if (value !== undefined && (ignoreCase || trim))
      context.addIssue({ code: "custom", message: `"ignore_case" and "trim" go with "text"` });
  });

export const equals: Check<z.output<typeof config>> = {
  type: "equals",
  config,
  evaluate(subject, { text, value = null, path, ignore_case: ignoreCase, trim }) {
    const plain = (word: string): string => {
      const trimmed = trim ? word.trim() : word;
      return ignoreCase ? trimmed.toLowerCase() : trimmed;
    };
    const what = text === undefined ? shown(value) : quote(text, 120);
    return searchTexts(subject, {
      path,
      accepts:
        text === undefined
          ? sameValue(value)
          : (texts) => texts.some((found) => plain(found) === plain(text)),
      found: (name) => `${name} equals ${what}`,
      absent: (name) => (name === undefined ? `nothing equals ${what}` : `${name} does not equal ${what}`),
      excerpt: "text",
      expected: text ?? value,
    });
  },
};

/** The first text of an artifact is its whole: of structured data, and of a file that may be JSON. */
function sameValue(expected: Json): (texts: readonly string[]) => boolean {
  const wanted = canonicalJson(expected);
  return ([whole]) => {
    if (whole === undefined) return false;
    if (isTooDeep(whole)) throw new Error("it is nested too deeply");
    const found = parseJson(whole);
    return found !== undefined && canonicalJson(found) === wanted;
  };
}
