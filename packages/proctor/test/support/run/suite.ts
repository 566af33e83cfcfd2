// Suites, tests and checks for tests of the runner, and one way to run them.
import type { Artifact } from "../../../src/core/artifact.ts";
import { findCheck } from "../../../src/suites/checks/registry.ts";
import type { Plan } from "../../../src/suites/plan.ts";
import type { AttemptResult, CaseResult, Summary } from "../../../src/suites/result.ts";
import { DEFAULT_SCORING, type Suite, type SuiteCheck, type SuiteTest } from "../../../src/suites/suite.ts";
import { asHub, type HubDouble } from "./hub-double.ts";
import { runSuite, type RunSuiteOptions } from "../../../src/suites/run/run-suite.ts";

export const check = (type: string, config: object = {}, rest: Partial<SuiteCheck> = {}): SuiteCheck => ({
  type,
  critical: false,
  weight: 1,
  config: { ...config },
  needsWorkspace: false,
  judgesAnyEnd: findCheck(type)!.judgesAnyEnd,
  file: "s.yaml",
  line: 1,
  col: 3,
  evaluate: findCheck(type)!.bind(config),
  ...rest,
});

export const one = (id: string, rest: Partial<SuiteTest> = {}): SuiteTest => ({
  id,
  name: id,
  tags: [],
  task: { description: id },
  constraints: {},
  runs: 1,
  checks: [],
  caseChecks: [],
  scoring: DEFAULT_SCORING,
  folder: process.cwd(),
  file: "s.yaml",
  line: 1,
  col: 1,
  ...rest,
});

export const suite = (...tests: SuiteTest[]): Suite => ({
  file: "s.yaml",
  name: "s",
  agents: [{ name: "a", protocol: "atp", transport: "stdio", command: ["x"], env: { K: "v" } }],
  tests,
});

export const report = (id: string, text: string): { artifact: Artifact; text: string } => ({
  artifact: { id, type: "file", path: "report.md", content_hash: "sha256:0" },
  text,
});

export interface Played {
  results: CaseResult[];
  attempts: AttemptResult[];
  summary: Summary;
}

/** Runs a plan on a double and keeps what is reported. */
export async function play(
  plan: Plan,
  hub: HubDouble,
  options: Partial<RunSuiteOptions> = {},
  signal?: AbortSignal,
): Promise<Played> {
  const results: CaseResult[] = [];
  const attempts: AttemptResult[] = [];
  const keep = {
    start: () => undefined,
    attemptEnded: (_: unknown, attempt: AttemptResult) => void attempts.push(attempt),
    caseEnded: (result: CaseResult) => void results.push(result),
    end: () => undefined,
  };
  const summary = await runSuite(
    plan,
    asHub(hub),
    {
      services: { runCommand: () => Promise.reject(new Error("this test runs no commands")) },
      random: () => 0.5,
      ...options,
      reporters: [keep, ...(options.reporters ?? [])],
    },
    signal,
  );
  return { results, attempts, summary };
}
