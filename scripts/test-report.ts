// Reads vitest's report of a whole run: the number of tests, and the tests that have the name of another.
import { relative } from "node:path";

export interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; assertionResults: { fullName: string }[] }[];
}

/** Describes the names that several tests have: such a name does not say which test failed, and `vitest -t` runs them all. */
export function sharedNames({ testResults }: VitestReport): string[] {
  const filesOf = new Map<string, string[]>();
  for (const { name: file, assertionResults } of testResults) {
    for (const { fullName } of assertionResults)
      filesOf.set(fullName, [...(filesOf.get(fullName) ?? []), relative(process.cwd(), file)]);
  }
  return [...filesOf]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => `two tests are called "${name}": ${[...new Set(files)].join(", ")}`);
}

export function countTests(report: VitestReport): Count {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
