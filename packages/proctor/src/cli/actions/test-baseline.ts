// `proctor test --baseline`: the results of now beside those of before, in the report and in the exit code.
import { resolve } from "node:path";
import type { ResultCase, ResultSet } from "../../suites/compare/comparison.ts";
import { resultCase } from "../../suites/journal/journal.ts";
import type { Reporter } from "../../suites/reporter.ts";
import type { Summary } from "../../suites/result.ts";
import type { TestFlags } from "../commands/test.ts";

export interface Baseline {
  /** Gathers the results of now. */
  reporter: Reporter;
  conclude(summary: Summary): Summary;
}

export async function openBaseline({ baseline }: TestFlags, cwd: string): Promise<Baseline | undefined> {
  if (baseline === undefined) return undefined;
  const { readResults } = await import("../../suites/compare/read-results.ts");
  const { compareResults } = await import("../../suites/compare/compare-results.ts");
  const before = await readResults(resolve(cwd, baseline));
  const cases: ResultCase[] = [];
  const createdAt = new Date().toISOString();
  return {
    reporter: {
      start: () => undefined,
      caseEnded: (result) => void cases.push(resultCase(result)),
      end: () => undefined,
    },
    conclude(summary) {
      const after: ResultSet = { name: "now", created_at: createdAt, cases };
      return { ...summary, comparison: compareResults(before, after) };
    },
  };
}
