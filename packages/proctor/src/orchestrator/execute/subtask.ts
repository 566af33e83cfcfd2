// Carries out one sub-task: routed, run, reviewed, and tried again, until nothing more happens to it.
import { ProctorError } from "../../core/errors.ts";
import { failure, type Failure } from "../../core/failure.ts";
import type { RouteDecision, SubtaskAttempt, SubtaskStatus } from "../../core/goal.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { textPart } from "../../core/message.ts";
import type { PlanTask } from "../../core/plan.ts";
import type { Run } from "../../core/run.ts";
import { waitAtMost } from "../../core/wait-at-most.ts";
import { whenAborted } from "../../core/when-aborted.ts";
import type { ReviewOutcome } from "../review/contract.ts";
import { verdictOfEnd } from "../route/blame.ts";
import { nextStep } from "./after-failure.ts";
import { budgetExceeded } from "./budget.ts";
import { childRequest } from "./child-request.ts";
import type { GoalContext } from "./context.ts";
import { readOutput } from "./read-output.ts";
import { reviewOutput } from "./review-output.ts";
import type { Local, ValueReader } from "./values.ts";

export interface Settlement {
  status: SubtaskStatus;
  run?: Run;
  failure?: Failure;
  reason?: string;
}

interface Tried {
  attempt: SubtaskAttempt;
  run: Run;
}

export interface SubtaskWork {
  key: string;
  task: PlanTask;
  local: Local;
}

export async function carryOutSubtask(
  context: GoalContext,
  values: ValueReader,
  { key, task, local }: SubtaskWork,
): Promise<Settlement> {
  const { deps, fold, children } = context;
  const { router } = deps;
  const affinity = task.conversation === undefined ? undefined : `${context.job.runId}/${task.conversation}`;

  function attempts(): SubtaskAttempt[] {
    return fold.state.subtasks.get(key)?.attempts ?? [];
  }

  function told(comments: Json): { comments: Json; round: number } {
    return { comments, round: fold.state.subtasks.get(key)?.rounds ?? 1 };
  }

  async function describe(): Promise<{ description: string; input: JsonObject } | Failure> {
    const description = task.description ?? task.title ?? "${goal}";
    const resolved = await values.told({ description, input: task.input }, local);
    return "problem" in resolved ? failure("INVALID_REQUEST", resolved.problem, { key }) : resolved;
  }

  function tried(): string[] {
    return attempts().flatMap(({ agent, failure: failed }) =>
      failed === undefined || failed.code === "INTERRUPTED" ? [] : [agent],
    );
  }

  async function route(input: JsonObject, isFallback: boolean): Promise<RouteDecision> {
    const doer = isFallback && task.fallback ? task.fallback : task;
    const wanted = {
      ...(doer.agent !== undefined && { agent: doer.agent }),
      ...(doer.capability !== undefined && { capability: doer.capability }),
      ...(doer.version !== undefined && { version: doer.version }),
      ...(task.labels && { labels: task.labels }),
      ...(affinity !== undefined && { affinity }),
      input,
    };
    const others = await router.route({ ...wanted, exclude: tried() });
    // Where no other agent can, one that has failed before may try again, but not as its own fallback.
    const decision = others.agent === null && !isFallback ? await router.route(wanted) : others;
    const held = await asHeld(decision);
    return isFallback ? { ...held, by: "fallback" } : held;
  }

  /** Removes the capability where a named agent does not declare it, so that no schema applies. */
  async function asHeld(decision: RouteDecision): Promise<RouteDecision> {
    const { agent, capability, ...rest } = decision;
    if (agent === null || capability === undefined || decision.by !== "named") return decision;
    return (await deps.capabilityOf(agent, capability)) === undefined ? { agent, ...rest } : decision;
  }

  /** Begins an attempt, or goes on with the one that was at work when the hub stopped. */
  async function attempt(isFallback: boolean, feedback: Json | undefined): Promise<Tried | Failure> {
    const before = attempts().at(-1);
    if (before !== undefined && before.status === null) return finish(before);
    const described = await describe();
    if ("code" in described) return described;
    const decision = await route(described.input, isFallback);
    const { agent } = decision;
    if (agent === null) return nobody(task, decision);
    const number = (before?.number ?? 0) + 1;
    const work = {
      key,
      attempt: number,
      ...described,
      llm: task.llm ?? context.options.llm,
      ...(feedback !== undefined && { feedback: told(feedback) }),
    };
    const request = childRequest(context.job, { ...decision, agent }, work, task);
    if ("code" in request) return request;
    const spent = await budgetExceeded(context);
    if (spent) return spent;
    router.began(agent);
    try {
      const run = await children.start(`${key}/${number}`, request);
      await context.record({
        type: "subtask.started",
        payload: { key, attempt: number, run_id: run.id, agent: run.agent, route: decision },
      });
    } catch (error) {
      router.ended(agent, null);
      if (!ProctorError.is(error)) throw error;
      return failure(error.code === "AGENT_NOT_FOUND" ? "NO_AGENT" : "INVALID_REQUEST", error.message, {
        key,
      });
    }
    const began = attempts().at(-1);
    if (began === undefined) throw new Error("an attempt that was recorded is not known");
    return finish(began);
  }

  async function finish(at: SubtaskAttempt): Promise<Tried> {
    const run = await children.ended(at.run_id);
    router.ended(at.agent, verdictOfEnd(run));
    return { attempt: at, run };
  }

  async function again(tried_: Tried, next: "retry" | "fallback" | "review", delayMs: number): Promise<void> {
    const { run, attempt: at } = tried_;
    const stopMs = children.stopMs(run);
    await context.record({
      type: "subtask.retried",
      payload: {
        key,
        attempt: at.number,
        run_id: at.run_id,
        status: run.status,
        ...(run.failure && { failure: run.failure }),
        next,
        delay_ms: delayMs,
        ...(stopMs !== undefined && { stop_ms: stopMs }),
      },
    });
    if (delayMs > 0) await waitAtMost(deps.clock, delayMs, whenAborted(context.signal));
  }

  async function isIdempotent({ agent, route: chosen }: SubtaskAttempt): Promise<boolean> {
    const name = chosen?.capability ?? task.capability;
    if (name === undefined) return false;
    return (await deps.capabilityOf(agent, name))?.idempotent === true;
  }

  /** Asks a person whether to repeat an attempt that was at work when the hub stopped. */
  async function askAboutLost({ attempt: at, run }: Tried): Promise<boolean> {
    const answer = await context.ask({
      id: `lost:${key}:${at.number}`,
      kind: "approval",
      blocking: false,
      parts: [
        textPart(
          `The hub stopped while ${at.agent} was at work on "${key}", and nobody knows how far it came. Do it again?`,
        ),
      ],
      subject: { lost: key, agent: at.agent, run_id: run.id },
    });
    return answer.outcome === "given";
  }

  let isFallback = attempts().at(-1)?.route?.by === "fallback";
  const [first] = attempts();
  // After a restart, the log says which agent has the conversation.
  if (affinity !== undefined && first) router.remember(affinity, first.agent);
  let feedback = lastFeedback(attempts());
  for (;;) {
    await context.going();
    const stop = context.stopped();
    const atWork = attempts().at(-1)?.status === null;
    if (stop !== undefined && !atWork) return { status: "cancelled", reason: stop.message };
    const outcome = await attempt(isFallback, feedback);
    if ("code" in outcome) return failed(outcome);
    const { run } = outcome;
    if (context.stopped() !== undefined && run.status !== "completed") return { status: "cancelled", run };
    if (run.status === "completed") {
      const judged = await judge(run, outcome);
      if (judged.verdict !== "approve" && context.stopped() !== undefined)
        return { status: "cancelled", run };
      if (judged.verdict === "approve") return { status: "completed", run };
      if (judged.verdict !== "retry") return { ...rejected(judged), run };
      feedback = judged.feedback ?? judged.reason ?? null;
      await again(outcome, "review", 0);
      continue;
    }
    const known = {
      ...outcome.attempt,
      failure: run.failure ?? failure("INTERNAL_ERROR", "the run has no reason"),
    };
    const list = [...attempts().slice(0, -1), known];
    const step = nextStep(task, list, await isIdempotent(outcome.attempt), deps.random());
    const isOver = step.kind === "fail" || (step.kind === "lost" && !(await askAboutLost(outcome)));
    if (isOver) return { ...failed(known.failure), run };
    isFallback = step.kind === "fallback";
    await again(outcome, isFallback ? "fallback" : "retry", step.kind === "retry" ? step.delayMs : 0);
  }

  async function judge(run: Run, { attempt: at }: Tried): Promise<ReviewOutcome> {
    const described = await describe();
    const input = "code" in described ? {} : described.input;
    const output = await readOutput(deps.hub, run);
    return reviewOutput(context, { key, task, attempt: at.number, run, input, output });
  }
}

function failed(because: Failure): Settlement {
  return { status: "failed", failure: because };
}

function rejected({ verdict, reason, feedback }: ReviewOutcome): Settlement {
  const why = reason ?? (typeof feedback === "string" ? feedback : `the review ended with "${verdict}"`);
  return { status: "failed", failure: failure("REVIEW_REJECTED", why) };
}

function nobody(task: PlanTask, decision: RouteDecision): Failure {
  const wanted =
    task.capability === undefined ? `agent ${task.agent ?? ""}` : `capability ${task.capability}`;
  const why = decision.rejected.slice(0, 3).map(({ agent, reason }) => `${agent}: ${reason}`);
  const message = why.length === 0 ? `nobody has the ${wanted}` : `nobody can do it: ${why.join("; ")}`;
  return failure("NO_AGENT", message, { considered: decision.considered, refused: decision.refused });
}

/** Returns the feedback for the next attempt; undefined where no review asked for another one. */
function lastFeedback(attempts: readonly SubtaskAttempt[]): Json | undefined {
  const last = attempts.at(-1)?.reviews.findLast(({ verdict }) => verdict === "retry");
  return last === undefined ? undefined : (last.feedback ?? null);
}
