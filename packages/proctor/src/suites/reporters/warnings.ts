// Warnings of a case's checks, which decide nothing: each once, however many runs gave it.
import type { CaseResult, CheckResult } from "../result.ts";
import { shorten } from "../../core/shorten.ts";

export function warningsOf(
  { attempts, checks }: CaseResult,
  limits: { reasons: number; characters: number },
): { warnings: string[]; leftOut: number } {
  const all = [...checks, ...attempts.flatMap((attempt) => attempt.checks)].flatMap(said);
  const each = [...new Set(all)];
  const warnings = each.slice(0, limits.reasons).map((text) => shorten(text, limits.characters));
  return { warnings, leftOut: each.length - warnings.length };
}

function said({ type, verdict: { warning } }: CheckResult): string[] {
  return warning === undefined ? [] : [`${type}: ${warning}`];
}
