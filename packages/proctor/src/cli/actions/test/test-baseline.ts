// `proctor test --baseline`: these results compared with earlier ones, in the report and in the exit code.
import { resolve } from "node:path";
import type { ResultCase, ResultSet } from "../../../suites/compare/comparison.ts";
import { resultCase } from "../../../suites/journal/journal.ts";
import { caseIdentifier, createPlan, type Plan, type PlannedCase } from "../../../suites/plan.ts";
import type { Reporter } from "../../../suites/reporter.ts";
import type { Summary } from "../../../suites/result.ts";
import type { Suite } from "../../../suites/suite.ts";
import type { TestFlags } from "./flags.ts";

interface Baseline {
  /** Gathers the results of this invocation. */
  reporter: Reporter;
  conclude(summary: Summary): Summary;
}

export async function openBaseline(
  flags: TestFlags,
  suites: readonly Suite[],
  cwd: string,
): Promise<Baseline | undefined> {
  const { baseline } = flags;
  if (baseline === undefined) return undefined;
  const { readResults } = await import("../../../suites/compare/read-results.ts");
  const { compareResults } = await import("../../../suites/compare/compare-results.ts");
  const before = await readResults(resolve(cwd, baseline));
  const cases: ResultCase[] = [];
  const createdAt = new Date().toISOString();
  let asked: Plan | undefined;
  return {
    reporter: {
      start: (plan) => void (asked = plan),
      caseEnded: (result) => void cases.push(resultCase(result)),
      end: () => undefined,
    },
    conclude(summary) {
      const after: ResultSet = { name: "now", created_at: createdAt, cases };
      const left = { ...before, cases: before.cases.filter(wasAsked(asked, suites, flags)) };
      return { ...summary, comparison: compareResults(left, after) };
    },
  };
}

/** A case that the suites have and that was not chosen this time is not missing. */
function wasAsked(
  asked: Plan | undefined,
  suites: readonly Suite[],
  { agent, transports }: TestFlags,
): (one: ResultCase) => boolean {
  const chosen = new Set(asked?.cases.map(nameOf));
  const typed = createPlan(suites, { ...(agent && { agents: agent }), ...(transports && { transports }) });
  const known = new Set([...typed.cases.map(nameOf), ...suites.flatMap(declared)]);
  return ({ suite, test_id, agent: label }) => {
    const name = caseIdentifier(suite, test_id, label);
    return chosen.has(name) || !known.has(name);
  };
}

function declared({ name, agents, tests }: Suite): string[] {
  return tests.flatMap((test) =>
    (test.agents ?? agents.map((agent) => agent.name)).map((agent) => caseIdentifier(name, test.id, agent)),
  );
}

function nameOf({ suite, test, agent }: PlannedCase): string {
  return caseIdentifier(suite.name, test.id, agent.label);
}
