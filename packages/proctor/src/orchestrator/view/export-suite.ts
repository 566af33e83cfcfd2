// A goal, or what went wrong in it, as a suite: each task becomes a case that gives its agent the same input and holds the output to the
// same checks.
import type { GoalState } from "../../core/fold-goal.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { Plan, PlanTask } from "../../core/plan.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { SuiteExport } from "../../core/ports/goals.ts";
import type { Run } from "../../core/run.ts";

export async function exportSuite(
  hub: Pick<Hub, "run">,
  goal: Run,
  plan: Plan,
  state: GoalState,
  { tasks, whole }: SuiteExport,
): Promise<JsonObject> {
  const byId = new Map(plan.tasks.map((task) => [task.id, task]));
  const chosen = whole === true ? [] : keysOf(state, tasks);
  const tests: JsonObject[] = [];
  const agents = new Map<string, string>();
  for (const key of chosen) {
    const runId = state.subtasks.get(key)?.attempts.at(-1)?.run_id;
    const run = runId === undefined ? undefined : await hub.run(runId).catch(() => undefined);
    const task = byId.get(key.replace(/\[\d+\]$/, ""));
    if (run === undefined || task === undefined) continue;
    tests.push(caseOf(key, run, task, goal));
    agents.set(run.agent, run.agent);
  }
  if (tests.length === 0) tests.push(wholeCase(goal, plan));
  return {
    test_suite: `goal-${goal.id.slice(0, 8)}`,
    description: `From goal ${goal.id}: ${goal.task.description}`,
    tests,
  };
}

/** Those that did not end well, unless others are named. */
function keysOf({ subtasks, items }: GoalState, named: readonly string[] | undefined): string[] {
  const all = [...subtasks.values()].filter(({ key }) => !items.has(key));
  if (named === undefined) return all.filter(({ status }) => status === "failed").map(({ key }) => key);
  return all
    .filter(({ key }) => named.some((name) => key === name || key.startsWith(`${name}[`)))
    .map(({ key }) => key);
}

function caseOf(key: string, run: Run, task: PlanTask, goal: Run): JsonObject {
  const review = task.review ?? goal.options.goal?.review;
  const checks = review?.checks ?? [];
  return {
    id: key.replaceAll(/[^\w-]+/g, "-").replace(/-$/, ""),
    name: task.title ?? `Task ${key}`,
    agent: run.agent,
    task: {
      description: run.task.description,
      ...(run.task.input_data && { input_data: run.task.input_data }),
    },
    ...(Object.keys(run.constraints).length > 0 && { constraints: run.constraints }),
    assertions:
      checks.length > 0 ? checks : [{ type: "status", config: { status: "completed" } } satisfies Json],
  };
}

/** The whole plan, carried out again. */
function wholeCase({ task, options }: Run, plan: Plan): JsonObject {
  return {
    id: "goal",
    name: "The goal is reached",
    agent: "goal+builtin:goal",
    task: { description: task.description },
    options: { goal: { plan, ...(options.goal?.params && { params: options.goal.params }) } },
    assertions: [{ type: "status", config: { status: "completed" } }],
  };
}
