// A goal from its plan to its end.
import { failure, type Failure } from "../../core/failure.ts";
import { OUTPUT_ARTIFACT } from "../../core/goal.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { textPart } from "../../core/message.ts";
import type { Plan } from "../../core/plan.ts";
import type { AgentEnd } from "../../core/ports/driver.ts";
import { buildGraph } from "../plan/graph.ts";
import type { GoalContext } from "./context.ts";
import { executePlan, type Executed } from "./execute-plan.ts";
import { makePlan } from "./make-plan.ts";
import { takeOver } from "./rerun.ts";
import { undo } from "./undo.ts";
import { createValueReader } from "./values.ts";

/** Characters up to which a plan is shown with the question whether it is approved. */
const SHOWN_PLAN_CHARS = 100_000;

export async function carryOutGoal(context: GoalContext): Promise<AgentEnd> {
  const { options } = context;
  const callOff = await limitTime(context);
  try {
    const plan = await makePlan(context);
    // A failure has a code, and a plan has none.
    if ("code" in plan) return { status: "failed", failure: plan as Failure };
    if (options.approve_plan === true && !(await isApproved(context, plan)))
      return { status: "failed", failure: failure("PLAN_FAILED", "the plan was not approved") };
    if (options.rerun) await takeOver(context, plan, options.rerun);
    const executed = await executePlan(context, plan);
    return await conclude(context, plan, executed);
  } finally {
    callOff();
  }
}

async function conclude(context: GoalContext, plan: Plan, executed: Executed): Promise<AgentEnd> {
  const { stopped, failed, completed } = executed;
  if (stopped !== undefined) {
    const { because, compensate } = stopped;
    if (because.code === "CANCELLED") return { status: "cancelled", failure: because };
    if (because.code === "TIMEOUT") return { status: "timeout", failure: because };
    if (!compensate) return { status: "failed", failure: because };
    const left = await undo(context, plan, completed);
    const details = { ...because.details, ...(left.length > 0 && { not_undone: left }) };
    return { status: "failed", failure: { ...because, details } };
  }
  await context.keep(OUTPUT_ARTIFACT, await outputOf(context, plan));
  if (failed === 0) return { status: "completed" };
  const message = `${failed} ${failed === 1 ? "task" : "tasks"} failed, and the goal went on without`;
  return { status: "partial", failure: failure("SUBTASK_FAILED", message) };
}

async function outputOf(context: GoalContext, plan: Plan): Promise<Json> {
  const values = createValueReader(context);
  if (plan.output !== undefined) {
    const resolved = await values.resolve(plan.output);
    return "value" in resolved ? resolved.value : { problem: resolved.problem };
  }
  const { leaves } = buildGraph(plan);
  const outputs: JsonObject = {};
  for (const id of leaves) outputs[id] = (await values.outputOf(id)) ?? null;
  const [only] = leaves;
  return leaves.length === 1 && only !== undefined ? (outputs[only] ?? null) : outputs;
}

async function isApproved(context: GoalContext, plan: Plan): Promise<boolean> {
  const count = plan.tasks.length;
  const shown = JSON.stringify(plan).length <= SHOWN_PLAN_CHARS ? { plan } : {};
  const answer = await context.ask({
    id: "plan",
    kind: "approval",
    parts: [
      textPart(`Carry out this plan of ${count} ${count === 1 ? "task" : "tasks"} for: ${context.goal}`),
    ],
    subject: { goal: context.goal, tasks: count, ...shown },
  });
  return answer.outcome === "given";
}

/** Limits the time of a goal, which counts from its first start even if the hub was restarted in between. */
async function limitTime(context: GoalContext): Promise<() => void> {
  const { deps, job, options } = context;
  const seconds = options.budget?.seconds;
  if (seconds === undefined) return () => undefined;
  const { started_at: startedAt } = await deps.hub.run(job.runId);
  const began = startedAt === null ? deps.clock.now() : Date.parse(startedAt);
  const because = failure("TIMEOUT", `the goal took longer than its ${seconds} s`, { seconds });
  return deps.clock.after(Math.max(1, began + seconds * 1000 - deps.clock.now()), () =>
    context.stop(because),
  );
}
