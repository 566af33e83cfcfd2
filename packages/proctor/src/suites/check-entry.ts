// One entry of `assertions:`: the check it names, bound to its config.
import { z } from "zod";
import { suggest } from "../core/suggest.ts";
import { isJsonObject } from "../core/json.ts";
import type { Evaluate } from "./check.ts";
import { CHECKS, checkTypes, findCheck } from "./checks/registry.ts";
import { dispatch } from "./findings.ts";
import { quote } from "./printable.ts";

export interface CheckEntry {
  type: string;
  critical: boolean;
  evaluate: Evaluate;
}

const REFERENCE = "All checks: docs/reference/checks.md";

/** Checks of the ATP platform's suites that exist there and not here. */
const ELSEWHERE = new Set(
  `file_exists file_not_exists dir_exists file_contains file_count llm_eval pytest npm custom_command code_exec lint
   factuality performance style tone readability passive_voice sentence_length style_rules findings_match`.split(
    /\s+/,
  ),
);

const anyConfig = z.custom<object>(isJsonObject, { message: `"config" must be a mapping (key: value)` });

/** Says what is wrong with the type, and with the rest of the entry as far as it can be known. */
const unknownType = entry(z.string().superRefine(refuseType), anyConfig.optional()).transform(
  (): CheckEntry => z.NEVER,
);

export const checkEntry: z.ZodType<CheckEntry> = dispatch<CheckEntry>((value) => {
  const type = isJsonObject(value) ? value["type"] : undefined;
  const check = typeof type === "string" ? findCheck(type) : undefined;
  if (!check) return unknownType;
  return entry(z.literal(check.type), check.config.prefault({})).transform(
    ({ type, critical, config }): CheckEntry => ({ type, critical, evaluate: check.bind(config) }),
  );
});

function entry<T extends z.ZodType, C extends z.ZodType>(type: T, config: C) {
  return z.strictObject({ type, config, critical: z.boolean().default(false) });
}

function refuseType(type: string, context: z.RefinementCtx): void {
  if (ELSEWHERE.has(type)) {
    const message = `the check ${quote(type)} is not supported by this version`;
    const hint = `available: ${CHECKS.map((check) => check.type).join(", ")}.  ${REFERENCE}`;
    context.addIssue({ code: "custom", message, params: { hint } });
    return;
  }
  const similar = suggest(type, checkTypes());
  const hint = similar === undefined ? REFERENCE : `did you mean ${quote(similar)}?  ${REFERENCE}`;
  context.addIssue({ code: "custom", message: `unknown check ${quote(type)}`, params: { hint } });
}
