// Undoes what was done, the newest first, after a task failed whose policy is to compensate.
import type { Plan, PlanTask } from "../../core/plan.ts";
import { isTerminal, type Run } from "../../core/run.ts";
import { childRequest } from "./child-request.ts";
import type { GoalContext } from "./context.ts";
import { createValueReader, type ValueReader } from "./values.ts";

/** Returns the ids of the tasks that could not be undone. */
export async function undo(
  context: GoalContext,
  plan: Plan,
  completed: readonly string[],
): Promise<string[]> {
  const tasks = new Map(plan.tasks.map((task) => [task.id, task]));
  const values = createValueReader(context);
  const left: string[] = [];
  for (const id of completed.toReversed()) {
    const task = tasks.get(id);
    if (task?.compensate === undefined || context.fold.state.subtasks.get(id)?.status === "compensated")
      continue;
    const ended = await undoTask(context, values, task, task.compensate);
    if (ended?.status !== "completed") {
      left.push(id);
      continue;
    }
    await context.record({
      type: "subtask.settled",
      payload: { key: id, status: "compensated", reason: "it was undone, because another task failed" },
    });
  }
  return left;
}

/** Resolves with the run that undid the task, or failed to; undefined where no agent could be found. */
async function undoTask(
  context: GoalContext,
  values: ValueReader,
  { id, llm = context.options.llm }: PlanTask,
  how: NonNullable<PlanTask["compensate"]>,
): Promise<Run | undefined> {
  const told = await values.told({
    description: how.description ?? `Undo the task "${id}".`,
    input: how.input,
  });
  if ("problem" in told) return undefined;
  for (let attempt = 1; ; attempt += 1) {
    const decision = await context.deps.router.route({ ...how, input: told.input });
    const { agent } = decision;
    if (agent === null) return undefined;
    const request = childRequest(context.job, { ...decision, agent }, { key: id, attempt, ...told, llm });
    if ("code" in request) return undefined;
    // After a crash the same names find the runs that were submitted before.
    const name = attempt === 1 ? `${id}/compensate` : `${id}/compensate/${attempt}`;
    const run = await context.children.startAfterStop(name, request);
    if (!isTerminal(run.status) || !wasInterrupted(run)) {
      await context.record({
        type: "subtask.started",
        payload: {
          key: id,
          attempt,
          run_id: run.id,
          agent: run.agent,
          route: decision,
          purpose: "compensate",
        },
      });
    }
    const ended = await context.children.ended(run.id);
    // A run that a stop of the hub interrupted is repeated, because half undone is worse than undone twice.
    if (!wasInterrupted(ended)) return ended;
  }
}

function wasInterrupted({ failure }: Run): boolean {
  return failure?.code === "INTERRUPTED";
}
