// A goal, or what went wrong in it, as a suite: each task becomes a case that gives its agent the same input and holds the output to the
// same checks.
import { formatAddress } from "../../core/address.ts";
import type { GoalState } from "../../core/fold-goal.ts";
import { GOAL_SPEC } from "../../core/goal.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Plan, PlanTask } from "../../core/plan.ts";
import type { SuiteExport } from "../../core/ports/goals.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { Run } from "../../core/run.ts";
import { escapeVariables, statusCheck, suiteAgent } from "../../core/suite-parts.ts";

const COMPLETED = statusCheck("completed");

export async function exportSuite(
  hub: Pick<Hub, "run" | "agent">,
  goal: Run,
  plan: Plan,
  state: GoalState,
  { tasks, whole }: SuiteExport,
): Promise<JsonObject> {
  const byId = new Map(plan.tasks.map((task) => [task.id, task]));
  const agents = new Map<string, JsonObject>();
  const tests: JsonObject[] = [];
  for (const key of whole === true ? [] : keysOf(state, tasks)) {
    const runId = state.subtasks.get(key)?.attempts.at(-1)?.run_id;
    const run = runId === undefined ? undefined : await hub.run(runId).catch(() => undefined);
    const task = byId.get(key.replace(/\[\d+\]$/, ""));
    if (run === undefined || task === undefined) continue;
    if (!agents.has(run.agent)) agents.set(run.agent, await suiteAgent(hub, run.agent, agents.size + 1));
    tests.push(caseOf(key, run, task, goal, agents.get(run.agent)));
  }
  if (tests.length === 0) {
    agents.set("goal", wholeAgent(goal, plan));
    tests.push(wholeCase(goal));
  }
  const description = `From goal ${goal.id}: ${goal.task.description}`;
  const suite = {
    test_suite: `goal-${goal.id.slice(0, 8)}`,
    description,
    agents: [...agents.values()],
    tests,
  };
  // Escaping keeps an object an object.
  return escapeVariables(suite) as JsonObject;
}

/** Returns the keys of the failed sub-tasks, or of those that are named. */
function keysOf({ subtasks, items }: GoalState, named: readonly string[] | undefined): string[] {
  const all = [...subtasks.values()].filter(({ key }) => !items.has(key));
  const chosen =
    named === undefined
      ? all.filter(({ status }) => status === "failed")
      : all.filter(({ key }) => named.some((name) => key === name || key.startsWith(`${name}[`)));
  return chosen.map(({ key }) => key);
}

function caseOf(
  key: string,
  { task: asked, constraints }: Run,
  task: PlanTask,
  goal: Run,
  agent: JsonObject | undefined,
): JsonObject {
  const checks = task.review?.checks ?? goal.options.goal?.review?.checks ?? [];
  const { description, input_data: input } = asked;
  return {
    id: key.replaceAll(/[^\w-]+/g, "-").replace(/-$/, ""),
    name: task.title ?? `Task ${key}`,
    agents: [agent?.["name"] ?? ""],
    task: { description, ...(input && { input_data: input }) },
    ...(Object.keys(constraints).length > 0 && { constraints }),
    assertions: [COMPLETED, ...checks],
  };
}

/** Returns an agent that carries out the whole plan again. */
function wholeAgent({ options }: Run, plan: Plan): JsonObject {
  const params = options.goal?.params;
  return { name: "goal", address: formatAddress(GOAL_SPEC), options: { plan, ...(params && { params }) } };
}

function wholeCase({ task }: Run): JsonObject {
  return {
    id: "goal",
    name: "The goal is reached",
    agents: ["goal"],
    task: { description: task.description },
    assertions: [COMPLETED],
  };
}
