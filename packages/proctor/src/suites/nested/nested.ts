// Checks inside a check: how they are written, and how they are judged.
import { z } from "zod";
import { isJsonObject } from "../../core/json.ts";
import { didYouMean } from "../../core/suggest.ts";
import type { Check, CheckSubject, RegisteredCheck } from "../check.ts";
import { dispatch } from "../../runtime/yaml/findings.ts";
import { quote } from "../../core/printable.ts";
import type { Outcome, Verdict } from "../verdict.ts";

export interface NestedCheck {
  type: string;
  config: unknown;
}

/** The checks that may stand inside: all there are. */
export interface Registry {
  find(type: string): RegisteredCheck | undefined;
  types(): readonly string[];
}

/** As an entry of `assertions`, without `critical`. Reading what it returns once more changes nothing. */
export function nestedCheck(registry: Registry): z.ZodType<NestedCheck> {
  const unknown = z
    .object({ type: z.string().superRefine((type, context) => refuseType(type, context, registry.types())) })
    .transform((): NestedCheck => z.NEVER);
  return dispatch<NestedCheck>((value) => {
    const type = isJsonObject(value) ? value["type"] : undefined;
    const check = typeof type === "string" ? registry.find(type) : undefined;
    return check
      ? z.strictObject({ type: z.literal(check.type), config: check.config.prefault({}) })
      : unknown;
  });
}

/** What a check needs and reads because of the checks that its config holds. */
export function needsOf<C>(
  checksIn: (config: C) => readonly NestedCheck[],
  registry: Registry,
): Required<Pick<Check<C>, "needsWorkspace" | "needsJudge" | "files">> {
  const found = (config: C): { check: RegisteredCheck; config: unknown }[] =>
    checksIn(config).flatMap(({ type, config }) => {
      const check = registry.find(type);
      return check ? [{ check, config }] : [];
    });
  return {
    needsWorkspace: (config) => found(config).some(({ check, config }) => check.needsWorkspace(config)),
    needsJudge: (config) => found(config).some(({ check, config }) => check.needsJudge(config)),
    files: (config) => found(config).flatMap(({ check, config }) => check.files(config)),
  };
}

export function judgeNested(
  { type, config }: NestedCheck,
  subject: CheckSubject,
  registry: Registry,
): Promise<Verdict> {
  const check = registry.find(type);
  if (!check) throw new Error(`there is no check ${quote(type)}`);
  return check.bind(config)(subject);
}

/** All of them, in order, also after one that has decided: the message is for people. */
export async function judgeAll(
  checks: readonly NestedCheck[],
  subject: CheckSubject,
  registry: Registry,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const check of checks) {
    judged.push({ ...(await judgeNested(check, subject, registry)), name: check.type });
  }
  return judged;
}

export interface Judged extends Verdict {
  name: string;
}

const SHOWN = 3;

/** `1 of 3 passed`, and what those said that did not come out as wished. */
export function summary(judged: readonly Judged[], wished: Outcome, outcome: Outcome): string {
  const passed = judged.filter((one) => one.outcome === "pass").length;
  const head = `${passed} of ${judged.length} passed`;
  const told = outcome === "pass" ? [] : judged.filter((one) => one.outcome !== wished);
  const said = told
    .slice(0, SHOWN)
    .map(({ name, outcome, message }) => `${name} ${PAST[outcome]}: ${message}`);
  const more = told.length > SHOWN ? [`${told.length - SHOWN} more`] : [];
  return [head, ...said, ...more].join("; ");
}

const PAST: Record<Outcome, string> = { pass: "passed", fail: "failed", unevaluated: "not evaluated" };

export const ALL_CHECKS = "All checks: proctor docs checks";

/** Raises the name of a check that does not exist as an error of the suite. */
export function refuseType(type: string, context: z.RefinementCtx, types: readonly string[]): void {
  const similar = didYouMean(type, types);
  const hint = similar === undefined ? ALL_CHECKS : `${similar}  ${ALL_CHECKS}`;
  context.addIssue({ code: "custom", message: `unknown check ${quote(type)}`, params: { hint } });
}
