// Terminals of runs that are judged by tests stay open until they are judged, where that happens in this process: the tests then work on
// the agent's files themselves, however many, and reach the servers that it left.
import type { Plan } from "../../../suites/plan.ts";
import type { HubSession } from "../../context.ts";

export function holdTerminals(plan: Plan, { where }: Pick<HubSession, "where">): Plan {
  if (where !== "in-process") return plan;
  const cases = plan.cases.map((planned) => {
    if (!planned.test.checks.some(({ type }) => type === "verifier")) return planned;
    const environment = { ...planned.options.environment, hold: true };
    return { ...planned, options: { ...planned.options, environment } };
  });
  return { ...plan, cases };
}
