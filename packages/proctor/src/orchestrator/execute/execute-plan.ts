// Carries out a plan: every task as soon as what it waits for is there, as many at once as the goal allows.
import { failure, type Failure } from "../../core/failure.ts";
import { isSettled } from "../../core/fold-goal.ts";
import { DEFAULT_GOAL_CONCURRENCY, type SubtaskStatus } from "../../core/goal.ts";
import type { Json } from "../../core/json.ts";
import { PLAN_LIMITS, type Plan, type PlanTask } from "../../core/plan.ts";
import { holds } from "../plan/condition.ts";
import { buildGraph } from "../plan/graph.ts";
import type { GoalContext } from "./context.ts";
import { createLimiter } from "./limiter.ts";
import { createSchedule, type NodeEnd } from "./schedule.ts";
import { carryOutSubtask, type Settlement } from "./subtask.ts";
import { createValueReader, type Local } from "./values.ts";

export interface Executed {
  /** Number of tasks that failed for good. */
  failed: number;
  /** Ids of the completed tasks, in the order of their completion. */
  completed: string[];
  /** The failure that ended the goal, and whether the completed tasks are to be undone. */
  stopped?: { because: Failure; compensate: boolean };
}

export async function executePlan(context: GoalContext, plan: Plan): Promise<Executed> {
  const { fold, options } = context;
  const graph = buildGraph(plan);
  const schedule = createSchedule(graph);
  const values = createValueReader(context);
  const limiter = createLimiter(options.concurrency ?? DEFAULT_GOAL_CONCURRENCY);
  const executed: Executed = { failed: 0, completed: [] };
  let compensate = false;
  let done = (): void => undefined;
  let fail = (_error: unknown): void => undefined;
  const over = new Promise<void>((resolve, reject) => {
    done = resolve;
    fail = reject;
  });
  let active = 0;

  function statusOf(key: string): SubtaskStatus | undefined {
    return fold.state.subtasks.get(key)?.status;
  }

  async function settle(key: string, settlement: Settlement): Promise<void> {
    const { status, run, failure: failed, reason } = settlement;
    const stopMs = run && context.children.stopMs(run);
    await context.record({
      type: "subtask.settled",
      payload: {
        key,
        status,
        ...(run && { run_id: run.id, run_status: run.status }),
        ...(failed && { failure: failed }),
        ...(reason !== undefined && { reason }),
        ...(stopMs !== undefined && { stop_ms: stopMs }),
      },
    });
  }

  /** Returns how the task ended before the hub started again. A failure of that time still decides about the goal. */
  function settledBefore(key: string, task: PlanTask): SubtaskStatus | undefined {
    const known = fold.state.subtasks.get(key);
    if (known === undefined || !isSettled(known.status)) return undefined;
    if (known.status === "failed") {
      const because = known.attempts.at(-1)?.failure;
      lose(key, task, because ?? failure("INTERNAL_ERROR", known.reason ?? "no reason is known"));
    }
    return known.status;
  }

  /** Carries out one sub-task once there is room for it. */
  function work(key: string, task: PlanTask, local: Local): Promise<SubtaskStatus> {
    const before = settledBefore(key, task);
    if (before !== undefined) return Promise.resolve(before);
    return limiter.run(async () => {
      const isAtWork = fold.state.subtasks.get(key)?.attempts.at(-1)?.status === null;
      // A stopped goal begins no further sub-tasks, and waits for those at work.
      if (context.stopped() !== undefined && !isAtWork) return "cancelled";
      const settlement = await carryOutSubtask(context, values, { key, task, local });
      await settle(key, settlement);
      if (settlement.status === "failed") lose(key, task, settlement.failure);
      return settlement.status;
    });
  }

  /** Records that a task has failed for good, and stops the goal where the task's policy says so. */
  function lose(key: string, task: PlanTask, because: Failure | undefined): void {
    const policy = task.on_failure ?? "fail";
    executed.failed += 1;
    if (policy === "continue") return;
    compensate ||= policy === "compensate";
    const why = because ?? failure("INTERNAL_ERROR", "no reason is known");
    const code = why.code === "BUDGET_EXCEEDED" ? "BUDGET_EXCEEDED" : "SUBTASK_FAILED";
    context.stop(failure(code, `${key}: ${why.code}: ${why.message}`, { key, code: why.code }));
  }

  async function items(task: PlanTask): Promise<Json[] | Failure> {
    const resolved = await values.resolve(task.foreach ?? [], {});
    if ("problem" in resolved) return failure("INVALID_REQUEST", resolved.problem, { key: task.id });
    const { value } = resolved;
    if (!Array.isArray(value))
      return failure("INVALID_REQUEST", "foreach: the value is not a list", { key: task.id });
    if (value.length > PLAN_LIMITS.items)
      return failure("INVALID_REQUEST", `foreach: more than ${PLAN_LIMITS.items} items`, { key: task.id });
    return value;
  }

  async function each(task: PlanTask): Promise<Settlement> {
    const list = await items(task);
    if (!Array.isArray(list)) return { status: "failed", failure: list };
    if (!fold.state.items.has(task.id))
      await context.record({ type: "subtask.expanded", payload: { task: task.id, items: list.length } });
    const ends = await Promise.all(
      list.map((item, index) => work(`${task.id}[${index}]`, task, { item, index })),
    );
    if (ends.includes("failed")) {
      const count = ends.filter((end) => end === "failed").length;
      return { status: "failed", reason: `${count} of ${ends.length} items failed` };
    }
    return { status: ends.includes("cancelled") ? "cancelled" : "completed" };
  }

  async function node(id: string, task: PlanTask): Promise<SubtaskStatus> {
    const settled = settledBefore(id, task);
    if (settled !== undefined) return settled;
    const before = statusOf(id);
    if (context.stopped() !== undefined && before === undefined) return "cancelled";
    if (task.when !== undefined && before === undefined) {
      const answer = holds(task.when, await values.valuesFor(task.when));
      if ("problem" in answer) {
        const because = failure("INVALID_REQUEST", answer.problem, { key: id });
        await settle(id, { status: "failed", failure: because });
        lose(id, task, because);
        return "failed";
      }
      if (!answer.holds) {
        await settle(id, { status: "skipped", reason: "its condition does not hold" });
        return "skipped";
      }
    }
    if (task.foreach === undefined) return work(id, task, {});
    const settlement = await each(task);
    await settle(id, settlement);
    if (settlement.failure) lose(id, task, settlement.failure);
    return settlement.status;
  }

  async function launch(id: string): Promise<void> {
    const task = graph.nodes.get(id)?.task;
    if (task === undefined) return;
    const status = await node(id, task);
    if (status === "completed") executed.completed.push(id);
    const lost = schedule.settle(id, endOf(status));
    if (context.stopped() !== undefined) return;
    for (const key of lost) {
      if (statusOf(key) === undefined)
        await settle(key, { status: "skipped", reason: `"${id}", which it waits for, did not end well` });
    }
  }

  function pump(): void {
    // Sub-tasks that were at work when the hub stopped are resumed even while the goal is being stopped.
    for (const id of schedule.ready()) {
      active += 1;
      launch(id)
        .then(() => {
          active -= 1;
          pump();
        })
        .catch(fail);
    }
    if (active === 0) done();
  }

  pump();
  await over;
  const because = context.stopped();
  return { ...executed, ...(because && { stopped: { because, compensate } }) };
}

function endOf(status: SubtaskStatus): NodeEnd {
  if (status === "completed" || status === "compensated") return "completed";
  return status === "skipped" ? "skipped" : "failed";
}
