// Checks that are certain to stay unevaluated, because they ask a judge and nobody configured one.
import type { Place, SuiteCheck, SuiteTest } from "../suite.ts";

export const CONFIGURE_JUDGE = "set PROCTOR_JUDGE_URL and PROCTOR_JUDGE_MODEL; see: proctor docs judge";

/** The checks of these tests that ask a judge. A check that a data set or a matrix repeats is named once. */
export function checksForJudge(tests: Iterable<SuiteTest>): SuiteCheck[] {
  const found = new Map<string, SuiteCheck>();
  for (const { checks } of tests) {
    for (const check of checks) if (check.needsJudge === true) found.set(placeText(check), check);
  }
  return [...found.values()];
}

interface MissingJudge {
  /** The place of the first check, such as `suite.yaml:14:9`. */
  place: string;
  /** Such as `llm_judge needs a judge, and none is configured (and 2 more checks)`. */
  message: string;
}

export function missingJudge([first, ...others]: readonly SuiteCheck[]): MissingJudge | undefined {
  if (!first) return undefined;
  const more =
    others.length === 0 ? "" : ` (and ${others.length} more check${others.length === 1 ? "" : "s"})`;
  const message = `${first.type} needs a judge, and none is configured${more}`;
  return { place: placeText(first), message };
}

function placeText({ file, line, col }: Place): string {
  return `${file}:${line}:${col}`;
}
