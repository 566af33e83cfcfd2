// A suite of any number of cheap cases whose verdicts are known: some pass, some fail, some cannot be evaluated, some agents crash, and one
// case is decided before all of its runs were made.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const OF_TEN = ["yes", "yes", "yes", "yes", "yes", "no", "no", "unknown", "unknown", "crash"] as const;
const MOST_RUNS = 200;

export interface Verdict {
  test_id: string;
  agent: string;
  outcome: string;
  /** The type and the outcome of each check. */
  checks: string[];
}

interface ReportedCase extends Omit<Verdict, "checks"> {
  runs: { checks?: { type: string; outcome: string }[] }[];
}

/** Writes the suite into the folder, and returns the name of its file. Each run takes `pause` seconds, so that a process that is killed has some in flight. */
export function writeVerdictSuite(folder: string, cases: number, pause: number): string {
  const rows = (kind: string): string => {
    const of = Array.from({ length: cases - 1 }, (_, index) => index).filter(
      (index) => OF_TEN[index % OF_TEN.length] === kind,
    );
    return of.map((index) => `{"id":"${index}"}`).join("\n");
  };
  for (const kind of new Set(OF_TEN)) writeFileSync(join(folder, `${kind}.jsonl`), rows(kind));
  const test = (kind: string, agent: string, check: string): string => `
  - id: ${kind}
    name: ${kind} {{ id }}
    data: ${kind}.jsonl
    agents: [${agent}]
    task: { description: "case {{ id }} says yes" }
    assertions: [${check}]`;
  writeFileSync(
    join(folder, "verdicts.yaml"),
    `test_suite: verdicts
agents:
  - { name: echo, protocol: text, transport: stdio, command: [sh, -c, "sleep ${pause}; cat"] }
  - { name: crash, protocol: text, transport: stdio, command: [sh, -c, "sleep ${pause}; exit 3"] }
tests:${test("yes", "echo", '{ type: contains, config: { pattern: "case {{ id }} says yes" } }')}${test(
      "no",
      "echo",
      '{ type: contains, config: { pattern: "no such thing" } }',
    )}${test("unknown", "echo", "{ type: max_cost, config: { limit: 1 } }")}${test("crash", "crash", "{ type: no_errors }")}
  - id: early
    name: early
    agents: [echo]
    runs_per_test: ${MOST_RUNS}
    pass_rate: { at_least: 0.5 }
    task: { description: "says yes" }
    assertions: [{ type: contains, config: { pattern: "says yes" } }]
`,
  );
  return "verdicts.yaml";
}

/** What a report of `--json` says of verdicts, in one order, and nothing of times, ids and places. */
export function verdictsIn(report: string): Verdict[] {
  const { cases } = JSON.parse(report) as { cases: ReportedCase[] };
  return cases
    .map(({ test_id, agent, outcome, runs }) => ({
      test_id,
      agent,
      outcome,
      // Of a case that is decided early, as many runs were made as were in flight.
      checks: (test_id === "early" ? [] : runs).flatMap(({ checks = [] }) =>
        checks.map((check) => `${check.type} ${check.outcome}`),
      ),
    }))
    .sort((a, b) => (a.test_id < b.test_id ? -1 : 1));
}

/** How many runs were made of the case that is decided early, and how many it may have. */
export function earlyRuns(report: string): { made: number; most: number } {
  const { cases } = JSON.parse(report) as { cases: ReportedCase[] };
  const early = cases.find(({ test_id }) => test_id === "early");
  return { made: early?.runs.length ?? 0, most: MOST_RUNS };
}
