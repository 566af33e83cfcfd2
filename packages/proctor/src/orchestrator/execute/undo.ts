// Undoes what was done, the newest first, after a task failed whose policy is to compensate.
import type { Plan } from "../../core/plan.ts";
import { childRequest } from "./child-request.ts";
import type { GoalContext } from "./context.ts";
import { createValueReader } from "./values.ts";

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
    const how = tasks.get(id)?.compensate;
    if (how === undefined || context.fold.state.subtasks.get(id)?.status === "compensated") continue;
    const description = how.description ?? `Undo the task "${id}".`;
    const told = await values.told({ description, input: how.input });
    if ("problem" in told) {
      left.push(id);
      continue;
    }
    const decision = await context.deps.router.route({ ...how, input: told.input });
    const { agent } = decision;
    const work = { key: id, attempt: 1, ...told };
    const request = agent === null ? undefined : childRequest(context.job, { ...decision, agent }, work);
    if (request === undefined || "code" in request) {
      left.push(id);
      continue;
    }
    const run = await context.children.startAfterStop(`${id}/compensate`, request);
    await context.record({
      type: "subtask.started",
      payload: {
        key: id,
        attempt: 1,
        run_id: run.id,
        agent: run.agent,
        route: decision,
        purpose: "compensate",
      },
    });
    const ended = await context.children.ended(run.id);
    if (ended.status !== "completed") {
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
