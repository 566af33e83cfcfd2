// Passes when the data satisfies a JSON Schema.
import { messageOf } from "../../core/message-of.ts";
import { z } from "zod";
import { isJsonObject } from "../../core/json.ts";
import type { JsonObject } from "../../core/json.ts";
import { TooSlowError } from "../../runtime/cpu-limit.ts";
import type { Check } from "../check.ts";
import { printable } from "../../core/printable.ts";
import { fail, pass } from "../verdict.ts";
import { judgeJson } from "../json/artifact-json.ts";
import { compared } from "../texts/compared.ts";
import { compileSchema } from "../json/json-schema.ts";

const config = z
  .strictObject({
    schema: z.custom<JsonObject>(isJsonObject, `"schema" must be a mapping (key: value)`),
    path: z.string().min(1).optional(),
  })
  .superRefine(({ schema }, context) => {
    try {
      compileSchema(schema);
    } catch (error) {
      // It may well be a schema: the check will say that it could not be evaluated.
      if (error instanceof TooSlowError) return;
      const reason = messageOf(error);
      context.addIssue({
        code: "custom",
        path: ["schema"],
        message: `"schema" is not a JSON Schema: ${reason}`,
      });
    }
  });

export const schema: Check<z.output<typeof config>> = {
  type: "schema",
  config,
  evaluate: (subject, { schema, path }) =>
    judgeJson(subject, path, (value, name) => {
      const wrong = compileSchema(schema)(value);
      if (!wrong) return pass(`${name} satisfies the schema`);
      return fail(`${name} ${printable(wrong.message)}`, compared(wrong.expected, wrong.actual));
    }),
};
