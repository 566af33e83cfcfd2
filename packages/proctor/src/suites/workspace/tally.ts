// How many tests passed, as test runners say it in their own words, and the verdict over their share.
import type { CommandResult } from "../../core/ports/commands.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import type { Verdict } from "../verdict.ts";
import { howItEnded, outputDetails, wrote } from "./command-output.ts";

export interface Tally {
  passed: number;
  /** Errors included. Tests that were skipped count nowhere. */
  failed: number;
}

/** The share must be reached; and a runner that ends with an error must have a failed test to show for it. */
export function judgeTally(
  tool: string,
  { passed, failed }: Tally,
  threshold: number,
  result: CommandResult,
  failures: readonly string[] = [],
): Verdict {
  const total = passed + failed;
  if (total === 0) return unevaluated(`${tool} ran no tests${wrote(result)}`, outputDetails(result));
  const score = passed / total;
  const wanted = threshold === 1 ? "all" : `at least ${threshold} of them`;
  const names = failures.length === 0 ? "" : `; failed: ${failures.join(", ")}`;
  const message = `${passed} of ${total} tests passed, ${wanted} expected${names}`;
  if (result.code !== 0 && failed === 0)
    return {
      ...fail(`${message}, but ${tool} ${howItEnded(result)}${wrote(result)}`, outputDetails(result)),
      score,
    };
  return score >= threshold
    ? { ...pass(message), score }
    : { ...fail(message, outputDetails(result)), score };
}

type Count = [pattern: RegExp, kind: keyof Tally];

/** One line each, of: Jest and Vitest; Mocha; node:test and TAP. */
const LINES: Count[][] = [
  [
    [/^ *Tests:? .*?\b(\d+) passed\b/, "passed"],
    [/^ *Tests:? .*?\b(\d+) failed\b/, "failed"],
  ],
  [
    [/^ *(\d+) passing\b/, "passed"],
    [/^ *(\d+) failing\b/, "failed"],
  ],
  [
    [/^(?:ℹ|#) pass +(\d+)$/, "passed"],
    [/^(?:ℹ|#) fail +(\d+)$/, "failed"],
  ],
];
const MAX_LINE = 1000;

/** The last that was said counts. Undefined when no runner that we know said anything. */
export function tallyOf(output: string): Tally | undefined {
  const lines = output.split("\n").filter(({ length }) => length <= MAX_LINE);
  for (const counts of LINES) {
    const found: Partial<Tally> = {};
    for (const line of lines) {
      for (const [pattern, kind] of counts) {
        const number = pattern.exec(line.trimEnd())?.[1];
        if (number !== undefined) found[kind] = Number(number);
      }
    }
    if (Object.keys(found).length > 0) return { passed: 0, failed: 0, ...found };
  }
  return undefined;
}
