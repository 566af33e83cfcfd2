// Passes when what a JSON path leads to is as expected.
import { z } from "zod";
import type { Check } from "../check.ts";
import { fail, pass } from "../verdict.ts";
import { judgeJson } from "../json/artifact-json.ts";
import { compared } from "../texts/compared.ts";
import { applyRule, checkRule, payloadRuleShape } from "../json/json-rule.ts";
import { json } from "../../runtime/yaml/scalars.ts";
import { withinCpuTime } from "../../runtime/cpu-limit.ts";

const config = z
  .strictObject({
    ...payloadRuleShape,
    matches: z.string().min(1).optional(),
    contains: json.optional(),
    /** The name of the artifact; the first structured one when absent. */
    artifact: z.string().min(1).optional(),
  })
  .superRefine((rule, context) => checkRule(rule, context));

export const jsonPath: Check<z.output<typeof config>> = {
  type: "json_path",
  config,
  evaluate: (subject, { artifact, ...rule }) =>
    judgeJson(subject, artifact, (value, name) => {
      const { holds, message, found } = withinCpuTime("the pattern", () => applyRule(rule, value));
      if (holds) return pass(`${name} ${message}`);
      const expected = rule.equals ?? rule.contains ?? rule.matches;
      if (expected === undefined) return fail(`${name} ${message}`);
      return fail(`${name} ${message}`, compared(expected, found.length > 1 ? found : found[0]));
    }),
};
