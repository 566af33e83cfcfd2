// Checks and simulated users that are certain to stay unevaluated, because they ask the judge's model and nobody configured one.
import { checksOf, type Place, type SuiteCheck, type SuiteTest } from "../suite.ts";

export const CONFIGURE_JUDGE = "set PROCTOR_JUDGE_URL and PROCTOR_JUDGE_MODEL; see: proctor docs judge";

/** A check, or a simulated user without a script. */
export type NeedsJudge = Place & Pick<SuiteCheck, "type">;

/** What asks a judge in these tests. What a data set or a matrix repeats is named once. */
export function checksForJudge(tests: Iterable<SuiteTest>): NeedsJudge[] {
  const found = new Map<string, NeedsJudge>();
  for (const test of tests) {
    const { user } = test;
    if (user && !user.script) found.set(placeText(user), { ...user, type: "user" });
    for (const check of checksOf(test)) if (check.needsJudge === true) found.set(placeText(check), check);
  }
  return [...found.values()];
}

interface MissingJudge {
  /** The place of the first check, such as `suite.yaml:14:9`. */
  place: string;
  /** Such as `llm_judge needs a judge, and none is configured (and 2 more checks)`. */
  message: string;
}

export function missingJudge([first, ...others]: readonly NeedsJudge[]): MissingJudge | undefined {
  if (!first) return undefined;
  const more =
    others.length === 0 ? "" : ` (and ${others.length} more check${others.length === 1 ? "" : "s"})`;
  const message = `${first.type} needs a judge, and none is configured${more}`;
  return { place: placeText(first), message };
}

function placeText({ file, line, col }: Place): string {
  return `${file}:${line}:${col}`;
}
