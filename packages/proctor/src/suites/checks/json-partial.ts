// Passes when the data holds everything of a value; it may hold more.
import { z } from "zod";
import type { Json } from "../../core/json.ts";
import type { Check } from "../check.ts";
import { fail, pass } from "../verdict.ts";
import { judgeJson } from "../json/artifact-json.ts";
import { compared } from "../texts/compared.ts";
import { missingFrom } from "../json/json-subset.ts";
import { withinCpuTime } from "../../runtime/cpu-limit.ts";
import { shown } from "../texts/words.ts";

const value = z.custom<Json>((value) => value !== undefined, `missing key "value"`);

const config = z.strictObject({ value, path: z.string().min(1).optional() });

export const jsonPartial: Check<z.output<typeof config>> = {
  type: "json_partial",
  config,
  evaluate: (subject, { value, path }) =>
    judgeJson(subject, path, (found, name) => {
      const missing = withinCpuTime("the comparison", () => missingFrom(found, value));
      if (missing === undefined) return pass(`${name} holds ${shown(value)}`);
      return fail(`${name} ${missing}`, compared(value, found));
    }),
};
