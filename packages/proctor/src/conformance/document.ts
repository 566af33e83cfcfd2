// The document of a trial: what `--json` prints and every report is made of. docs/reference/conformance.md describes its fields.
import type { JsonObject } from "../core/json.ts";
import type { BaselineFinding } from "./compare-baseline.ts";
import type { ConformanceRule, RuleResult } from "./conformance.ts";
import { gradeOf, type Grade } from "./grade.ts";

/** A rule with its result. */
export interface ConformRule extends ConformanceRule {
  outcome: RuleResult["outcome"];
  grade: Grade;
  /** Reason of the result on the first line, and on further lines what to do. */
  reason?: string;
  expected?: string;
  got?: string;
  reproduce?: string;
  evidence?: JsonObject;
  /** What the protocol's own report format says about the rule. */
  record?: JsonObject;
  duration_ms: number;
}

export interface ConformSummary {
  passed: number;
  failed: number;
  /** Number of broken rules of level `should`; 0 when strict. */
  warnings: number;
  /** Number of broken rules that are Proctor's own or of level `may`. */
  advice: number;
  /** Number of broken rules that are disputed. */
  disputed: number;
  /** Number of rules that had no occasion although their outcome matters to the verdict. */
  unevaluated: number;
  duration_ms: number;
}

export interface ConformDocument {
  /** The agent as the user named it. */
  agent: string;
  protocol: string;
  /** Display name of the protocol with its versions: `A2A 1.0`. */
  title: string;
  transport: string;
  versions?: readonly string[];
  bindings?: readonly string[];
  /** What the protocol's own report format says about the whole. */
  record?: JsonObject;
  proctor_version: string;
  /** Time at which the first rule was tried, in ISO 8601. */
  checked_at: string;
  strict: boolean;
  /** False when only some rules were asked for, or the trial was interrupted. */
  complete: boolean;
  interrupted: boolean;
  /** False when the agent could not be reached, and no rule was kept. */
  reachable: boolean;
  /** Verdict over all rules that were tried. */
  verdict: RuleResult["outcome"];
  rules: readonly ConformRule[];
  /** What changed since an earlier document; absent where none was given. */
  baseline?: BaselineFinding;
  summary: ConformSummary;
}

/** What a document says in addition to its rules. */
export type ConformHead = Omit<
  ConformDocument,
  "title" | "reachable" | "verdict" | "rules" | "baseline" | "summary"
> & {
  /** Display name of the protocol. */
  name: string;
};

export function ruleDocument(result: RuleResult, strict: boolean): ConformRule {
  const { rule, outcome, reason, expected, got, reproduce, evidence, record, durationMs } = result;
  const { id, title, owner, section, level, disputed } = rule;
  return {
    id,
    title,
    owner,
    ...(section !== undefined && { section }),
    level,
    ...(disputed !== undefined && { disputed }),
    outcome,
    grade: gradeOf(rule, outcome, strict),
    ...(reason !== undefined && { reason }),
    ...(expected !== undefined && { expected }),
    ...(got !== undefined && { got }),
    ...(reproduce !== undefined && { reproduce }),
    ...(evidence && { evidence }),
    ...(record && { record }),
    duration_ms: Math.round(durationMs),
  };
}

export function createDocument(
  { name, ...head }: ConformHead,
  { results, durationMs }: { results: readonly RuleResult[]; durationMs: number },
): ConformDocument {
  const { agent, protocol, transport, versions, bindings, ...rest } = head;
  const rules = results.map((result) => ruleDocument(result, head.strict));
  const summary = summarise(rules, durationMs);
  const reachable = isReachable(results);
  return {
    agent,
    protocol,
    title: versions?.length ? `${name} ${versions.join(", ")}` : name,
    transport,
    ...(versions?.length && { versions }),
    ...(bindings?.length && { bindings }),
    ...rest,
    reachable,
    verdict: verdictOf(summary, { isWhole: reachable && !head.interrupted }),
    rules,
    summary,
  };
}

/** An agent that kept a rule was reachable, even if it was gone later. */
function isReachable(results: readonly RuleResult[]): boolean {
  return (
    results.some(({ outcome }) => outcome === "pass") ||
    !results.some(({ unreachable }) => unreachable === true)
  );
}

const COUNTED = {
  passed: "passed",
  failed: "failed",
  warning: "warnings",
  advice: "advice",
  disputed: "disputed",
  unevaluated: "unevaluated",
} as const satisfies Partial<Record<Grade, keyof ConformSummary>>;

function summarise(rules: readonly ConformRule[], durationMs: number): ConformSummary {
  const summary = { passed: 0, failed: 0, warnings: 0, advice: 0, disputed: 0, unevaluated: 0 };
  for (const { grade } of rules) if (grade !== "no_occasion") summary[COUNTED[grade]]++;
  return { ...summary, duration_ms: Math.round(durationMs) };
}

/** A trial that was interrupted, or an agent that was not reached, proves nothing about the rules that were not tried. */
function verdictOf(
  { failed, unevaluated }: ConformSummary,
  { isWhole }: { isWhole: boolean },
): RuleResult["outcome"] {
  if (failed > 0) return "fail";
  return unevaluated > 0 || !isWhole ? "unevaluated" : "pass";
}
