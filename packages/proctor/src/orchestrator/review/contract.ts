// What the executor asks of the reviewer, and what the reviewer needs of the executor.
import type { SubtaskReview } from "../../core/goal.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { PlanProblem, PlanTask, Review, ReviewVerdict } from "../../core/plan.ts";
import type { Answer, NewQuestion } from "../../core/question.ts";
import type { Run } from "../../core/run.ts";

export interface ReviewQuestion {
  goal: string;
  task: PlanTask;
  /** What the task was given, with its references resolved. */
  input: Json;
  output: Json;
  /** The run that made the output; it completed. */
  run: Run;
  review: Review;
  /** How often this task was reviewed before. */
  round: number;
  /** What the attempts before this one were told, oldest first. */
  feedbackBefore?: readonly Json[];
}

export interface ReviewOutcome {
  /** Never `escalate`: a person has decided by then. */
  verdict: ReviewVerdict;
  /** What the next attempt is told, where the verdict is `retry`. */
  feedback?: Json;
  /** Why, in words, where the verdict is not `approve`. */
  reason?: string;
}

/** What a reviewer may do while it works; each is durable, and done once however often the hub starts again. */
export interface ReviewActions {
  /** Has an agent do something and resolves with the run, ended; undefined where nobody can. */
  ask(
    doer: { agent?: string; capability: string },
    description: string,
    input: JsonObject,
  ): Promise<Run | undefined>;
  /** The structured output of an ended run. */
  outputOf(run: Run): Promise<Json>;
  /** Resolves with the answer; undefined where the policy is to halt and nobody answered. */
  askHuman(question: Omit<NewQuestion, "id">): Promise<Answer | undefined>;
  /** Writes a stage's verdict into the goal's log. */
  record(review: SubtaskReview): Promise<void>;
  signal: AbortSignal;
}

/** Judges a run by checks as suites have them: the first that did not pass, in words; undefined where all passed. Throws where they cannot be evaluated. */
export type RunChecks = (
  run: Run,
  checks: readonly Json[],
  signal: AbortSignal,
) => Promise<string | undefined>;

/** What is wrong with checks in a plan, before anything runs. Paths begin at the list: `checks[0].config.path`. */
export type CheckProblems = (checks: readonly Json[]) => PlanProblem[];

export type Reviewer = (question: ReviewQuestion, actions: ReviewActions) => Promise<ReviewOutcome>;
