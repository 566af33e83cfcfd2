// One entry of `assertions:`: the check it names, bound to its config.
import { z } from "zod";
import { isJsonObject, type Json } from "../../core/json.ts";
import { checkTypes, findCaseCheck, findCheck } from "../checks/registry.ts";
import { dispatch } from "../../runtime/yaml/findings.ts";
import { ALL_CHECKS, refuseType } from "../nested/nested.ts";
import { amount } from "../../runtime/yaml/scalars.ts";
import type { CaseCheckEntry, CheckEntry } from "../suite.ts";

type Entry = CheckEntry | CaseCheckEntry;

const anyConfig = z.custom<object>(isJsonObject, { message: `"config" must be a mapping (key: value)` });

/** Says what is wrong with the type, and with the rest of the entry as far as it can be known. */
const unknownType = entry(
  z.string().superRefine((type, context) => refuseType(type, context, checkTypes())),
  anyConfig.optional(),
).transform((): CheckEntry => z.NEVER);

/** `checks: [no_errors]`: right, but for the form. */
const bareName = z
  .string()
  .superRefine((name, context) => {
    const message = "this entry must be a mapping (key: value), not text";
    const hint = checkTypes().includes(name) ? `write { type: ${name} }` : ALL_CHECKS;
    context.addIssue({ code: "custom", message, params: { hint } });
  })
  .transform((): CheckEntry => z.NEVER);

/** Making a schema costs more than using it, and a data set uses each of them thousands of times. */
const schemas = new Map<string, z.ZodType<Entry>>();

export const checkEntry: z.ZodType<Entry> = dispatch<Entry>(
  (value) => {
    if (typeof value === "string") return bareName;
    const type = isJsonObject(value) ? value["type"] : undefined;
    if (typeof type !== "string") return unknownType;
    const schema = schemas.get(type) ?? schemaFor(type);
    if (schema) schemas.set(type, schema);
    return schema ?? unknownType;
  },
  { remember: true },
);

function schemaFor(type: string): z.ZodType<Entry> | undefined {
  const check = findCheck(type);
  if (check) {
    return entry(z.literal(check.type), check.config.prefault({})).transform(
      ({ config, ...rest }): CheckEntry => ({
        ...rest,
        config: asJson(config),
        needsWorkspace: check.needsWorkspace(config),
        needsJudge: check.needsJudge(config),
        judgesAnyEnd: check.judgesAnyEnd,
        files: check.files(config),
        evaluate: check.bind(config),
      }),
    );
  }
  const caseCheck = findCaseCheck(type);
  return (
    caseCheck &&
    entry(z.literal(caseCheck.type), caseCheck.config.prefault({})).transform(
      ({ config, ...rest }): CaseCheckEntry => ({
        ...rest,
        config: asJson(config),
        judge: caseCheck.bind(config),
      }),
    )
  );
}

function entry<T extends z.ZodType, C extends z.ZodType>(type: T, config: C) {
  return z.strictObject({ type, config, critical: z.boolean().default(false), weight: amount.default(1) });
}

/** A config is what YAML held, read by a schema that keeps it plain. */
function asJson(config: unknown): Json {
  return JSON.parse(JSON.stringify(config ?? null)) as Json;
}
