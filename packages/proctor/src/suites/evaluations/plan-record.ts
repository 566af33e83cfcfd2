// What an evaluation says of its plan: its name, suites, agents and size, within the limits of evaluations.
import { EVALUATION_LIMITS as LIMITS, type NewEvaluation } from "../../core/evaluation.ts";
import type { Plan } from "../plan.ts";
import { boundedName } from "./case-record.ts";

export function planRecord(
  plan: Pick<Plan, "suites" | "cases">,
): Pick<NewEvaluation, "name" | "suites" | "agents" | "planned"> {
  const names = [...new Set(plan.suites.map(({ name }) => name))];
  const name = names.length > 1 ? `${names[0] ?? ""} and ${names.length - 1} more` : (names[0] ?? "suites");
  const agents = new Set(plan.cases.map(({ agent }) => boundedName(agent.label)));
  return {
    name: boundedName(name === "" ? "suites" : name),
    suites: plan.suites
      .slice(0, LIMITS.suites)
      .map((suite) => ({ name: boundedName(suite.name), file: boundedName(suite.file) })),
    agents: [...agents].slice(0, LIMITS.agents),
    planned: { cases: plan.cases.length, runs: plan.cases.reduce((sum, { runs }) => sum + runs, 0) },
  };
}
