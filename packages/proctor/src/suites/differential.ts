// One agent over several transports: the cases of a test wait for each other, and those whose runs came to something else
// than on the first transport fail.
import type { Plan, PlannedCase } from "./plan.ts";
import type { AttemptResult, CaseResult } from "./result.ts";
import { differences } from "./substance.ts";
import type { SuiteTest } from "./suite.ts";

interface Differential {
  /** Takes a case that has ended, and returns the cases that are decided with it. */
  settle(result: CaseResult): CaseResult[];
}

export function createDifferential({ cases, differential }: Plan): Differential {
  if (differential !== true) return { settle: (result) => [result] };
  const waiting = new Map<unknown, CaseResult[]>();
  const siblings = new Map<SuiteTest, PlannedCase[]>();
  for (const planned of cases) siblings.set(planned.test, [...(siblings.get(planned.test) ?? []), planned]);
  return {
    settle(result) {
      const group = [...(waiting.get(result.case.test) ?? []), result];
      waiting.set(result.case.test, group);
      const expected = siblings.get(result.case.test) ?? [];
      if (group.length < expected.length) return [];
      waiting.delete(result.case.test);
      const [reference, ...others] = expected.flatMap((planned) =>
        group.filter((one) => one.case === planned),
      );
      return reference ? [reference, ...others.map((other) => compare(reference, other))] : [];
    },
  };
}

function compare(reference: CaseResult, other: CaseResult): CaseResult {
  const attempts = other.attempts.map((attempt) =>
    judge(
      reference.attempts.find(({ number }) => number === attempt.number),
      attempt,
      reference.case.agent.label,
    ),
  );
  const differs = attempts.some((attempt, index) => attempt !== other.attempts[index]);
  return differs ? { ...other, outcome: "fail", attempts } : other;
}

function judge(reference: AttemptResult | undefined, attempt: AttemptResult, label: string): AttemptResult {
  if (reference?.substance === undefined || attempt.substance === undefined) return attempt;
  const found = differences(reference.substance, attempt.substance);
  if (found.length === 0) return attempt;
  // A single difference is on the same line, several are on a line each.
  const where = found.length === 1 ? ` ${found[0]}` : found.map((one) => `\n  ${one}`).join("");
  const reason = `differs from ${label}:${where}`;
  return { ...attempt, outcome: "fail", reason: [attempt.reason, reason].filter(Boolean).join("\n") };
}
