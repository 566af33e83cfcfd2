// What the executor asks of the reviewer, and what the reviewer needs of the executor.
import type { SubtaskReview } from "../../core/goal.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { PlanProblem, PlanTask, Review, ReviewVerdict } from "../../core/plan.ts";
import type { Answer, NewQuestion } from "../../core/question.ts";
import type { Run } from "../../core/run.ts";

export interface ReviewQuestion {
  goal: string;
  task: PlanTask;
  /** Input of the task with its references resolved. */
  input: Json;
  output: Json;
  /** The completed run that made the output. */
  run: Run;
  review: Review;
  /** Number of earlier reviews of this task. */
  round: number;
  /** Feedback that earlier attempts got, oldest first. */
  feedbackBefore?: readonly Json[];
}

export interface ReviewOutcome {
  /** Never `escalate`: a person has decided by then. */
  verdict: ReviewVerdict;
  /** Feedback for the next attempt, where the verdict is `retry`. */
  feedback?: Json;
  /** Reason in words, where the verdict is not `approve`. */
  reason?: string;
}

/** Actions that a reviewer may take; each is durable, and done once however often the hub restarts. */
export interface ReviewActions {
  /** Runs an agent and resolves with the ended run; undefined where no agent can do it. */
  ask(
    doer: { agent?: string; capability: string },
    description: string,
    input: JsonObject,
  ): Promise<Run | undefined>;
  /** Resolves with the structured output of an ended run. */
  outputOf(run: Run): Promise<Json>;
  /** Resolves with the answer; undefined where the policy is to halt and no answer came. */
  askHuman(question: Omit<NewQuestion, "id">): Promise<Answer | undefined>;
  /** Writes a stage's verdict into the goal's log. */
  record(review: SubtaskReview): Promise<void>;
  signal: AbortSignal;
}

/** Runs a suite's checks on a run. Resolves with words for the first that did not pass, or undefined. Throws where one is unevaluated. */
export type RunChecks = (
  run: Run,
  checks: readonly Json[],
  signal: AbortSignal,
) => Promise<string | undefined>;

/** Returns the problems of checks in a plan, before anything runs. Paths begin at the list: `checks[0].config.path`. */
export type CheckProblems = (checks: readonly Json[]) => PlanProblem[];

export type Reviewer = (question: ReviewQuestion, actions: ReviewActions) => Promise<ReviewOutcome>;
