// The examples of docs/reference/checks.md that need no program: there is one of each outcome for every check, and those that judge
// several runs come out as the document says. All others are run by test/e2e/documented-suites.test.ts.
import { expect, test } from "vitest";
import { checkExamples, CHECKS_DOCUMENT } from "../../../test/support/check-examples.ts";
import { section } from "../../../test/support/markdown.ts";
import type { AttemptResult } from "../result.ts";
import { CHECKS, findCaseCheck } from "./registry.ts";

test("every check has an example that passes and one that fails in its section of checks.md", () => {
  for (const { type } of CHECKS) {
    const outcomes = Array.from(
      section(CHECKS_DOCUMENT, type).matchAll(/^\\# (pass|fail):/gm),
      ([, word]) => word,
    );
    expect(new Set(outcomes), type).toEqual(new Set(["pass", "fail"]));
  }
});

test.each(checkExamples().filter(({ head }) => head.startsWith("# of runs that took")))(
  "$check.type of several runs: $expected.outcome",
  ({ head, check, expected }) => {
    const times = Array.from(head.matchAll(/\d+/g), ([number]) => Number(number));
    // Only what the check looks at.
    const attempts = times.map((time) => ({ metrics: { wall_time_seconds: time } }) as AttemptResult);
    const found = findCaseCheck(check.type);
    expect(found?.bind(found.config.parse(check.config))(attempts)).toEqual(expected);
  },
);
