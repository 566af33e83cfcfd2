// The goals of a hub in this process: the orchestrator with its parts.
import type { LiveRegistry } from "../../agents/live-registry.ts";
import type { Capability } from "../../core/agent-profile.ts";
import type { Plan, PlanProblem } from "../../core/plan.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { AgentDriver } from "../../core/ports/driver.ts";
import type { Goals } from "../../core/ports/goals.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { Store } from "../../core/ports/store.ts";
import { createGoalDriver } from "../../orchestrator/execute/goal-driver.ts";
import { createGoals, type GoalsDeps } from "../../orchestrator/goals.ts";
import { createReviewer } from "../../orchestrator/review/reviewer.ts";
import { createRouter } from "../../orchestrator/route/router.ts";
import type { Config } from "../config/load-config.ts";
import { readPlan } from "../../runtime/schemas/plan.ts";
import { writeYaml } from "../../runtime/yaml/write-yaml.ts";
import { departureFrom } from "./read-goal.ts";

export interface OpenGoalsDeps {
  store: Store;
  registry: () => LiveRegistry;
  clock: Clock;
  report: (problem: unknown, runId: string) => void;
}

/** Resolves with what is wrong with the checks of a plan's reviews. */
async function checkProblems({ tasks }: Plan): Promise<PlanProblem[]> {
  const problems: PlanProblem[] = [];
  for (const [index, { review }] of tasks.entries()) {
    if (review?.checks === undefined) continue;
    const { checkProblems: find } = await import("./run-checks.ts");
    for (const { path, message } of find(review.checks))
      problems.push({ path: `tasks[${index}].review.${path}`, message });
  }
  return problems;
}

export interface OpenGoals {
  /** Driver that works once `connect` was called: the hub needs its drivers first. */
  driver: AgentDriver;
  connect(hub: Hub): Goals;
}

/** Number of capabilities that a planner gets to know at most. */
const MAX_CAPABILITIES = 200;

export function openGoals(config: Config, { store, registry, clock, report }: OpenGoalsDeps): OpenGoals {
  let deps: GoalsDeps | undefined;

  async function capabilities(): Promise<Capability[]> {
    const known = new Map<string, Capability>();
    const { items } = await registry().list({ limit: MAX_CAPABILITIES });
    for (const agent of items)
      for (const capability of agent.capabilities ?? []) known.set(capability.name, capability);
    return [...known.values()].slice(0, MAX_CAPABILITIES);
  }

  async function capabilityOf(agent: string, name: string): Promise<Capability | undefined> {
    const found = await registry()
      .get(agent)
      .catch(() => undefined);
    return found?.capabilities?.find((capability) => capability.name === name);
  }

  return {
    driver: createGoalDriver(() => {
      if (deps === undefined) throw new Error("the hub has no goals yet");
      return deps;
    }),
    connect(hub) {
      deps = {
        hub,
        router: createRouter({ agents: registry(), now: () => clock.now(), random: Math.random }),
        // Checks load much code, and most goals have none.
        reviewer: createReviewer({
          checks: async (run, checks, signal) =>
            (await import("./run-checks.ts")).createRunChecks(config, hub)(run, checks, signal),
        }),
        checkProblems,
        onEnded: (listener) =>
          store.watch((runId, _sequence, _appended, ended) => {
            if (ended) listener(runId);
          }),
        clock,
        random: Math.random,
        readPlan,
        capabilities,
        capabilityOf,
        report,
        checkParams: departureFrom,
        toYaml: writeYaml,
      };
      return createGoals(deps);
    },
  };
}
