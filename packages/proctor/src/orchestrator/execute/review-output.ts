// Gives the reviewer what it needs of one goal: runs and questions that happen once, however often the hub starts again.
import type { Json, JsonObject } from "../../core/json.ts";
import type { PlanTask } from "../../core/plan.ts";
import type { Run } from "../../core/run.ts";
import { outcomeOf } from "../review/approvals.ts";
import type { ReviewActions, ReviewOutcome } from "../review/contract.ts";
import { childRequest } from "./child-request.ts";
import type { GoalContext } from "./context.ts";
import { readOutput } from "./read-output.ts";

export interface Reviewed {
  key: string;
  task: PlanTask;
  attempt: number;
  run: Run;
  input: JsonObject;
  output: Json;
}

export async function reviewOutput(context: GoalContext, reviewed: Reviewed): Promise<ReviewOutcome> {
  const { deps, options, fold, goal } = context;
  const { key, task, attempt, run, input, output } = reviewed;
  const review = task.review ?? options.review ?? {};
  let asked = 0;

  async function ask(
    doer: { agent?: string; capability: string },
    description: string,
    given: JsonObject,
  ): Promise<Run | undefined> {
    asked += 1;
    const decision = await deps.router.route({ ...doer, input: given, exclude: [run.agent] });
    const { agent } = decision;
    if (agent === null) return undefined;
    const request = childRequest(
      context.job,
      { ...decision, agent },
      { key, attempt, description, input: given, llm: context.options.llm ?? {} },
      {},
    );
    if ("code" in request) return undefined;
    const child = await context.children.start(`${key}/${attempt}/review/${asked}`, request);
    await context.record({
      type: "subtask.started",
      payload: { key, attempt, run_id: child.id, agent: child.agent, route: decision, purpose: "review" },
    });
    return context.children.ended(child.id);
  }

  const actions: ReviewActions = {
    ask,
    outputOf: (of) => readOutput(deps.hub, of),
    askHuman: async (question) =>
      outcomeOf(await context.ask({ ...question, id: `review:${key}:${attempt}`, blocking: false })),
    async record(verdict) {
      // There is no verdict, because the goal was stopped.
      if (context.stopped() !== undefined) return;
      await context.record({ type: "subtask.reviewed", payload: { ...verdict, key, attempt } });
    },
    signal: context.signal,
  };
  const { rounds: round = 0, attempts = [] } = fold.state.subtasks.get(key) ?? {};
  const feedbackBefore = attempts
    .filter(({ number }) => number < attempt)
    .flatMap(({ reviews }) => reviews.flatMap(({ feedback }) => (feedback === undefined ? [] : [feedback])));
  try {
    return await deps.reviewer({ goal, task, input, output, run, review, round, feedbackBefore }, actions);
  } catch (error) {
    if (context.stopped() === undefined) deps.report(error, context.job.runId);
    return { verdict: "reject", reason: "the review could not be carried out" };
  }
}
