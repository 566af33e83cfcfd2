// What everything that carries out one goal shares: where it stands, how it says what happens, and how it is stopped.
import type { EventDraft } from "../../core/event.ts";
import type { Failure } from "../../core/failure.ts";
import type { GoalFold } from "../../core/fold-goal.ts";
import type { GoalOptions } from "../../core/goal.ts";
import type { Capability } from "../../core/agent-profile.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { Plan, PlanProblem } from "../../core/plan.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Job } from "../../core/ports/driver.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { Answer, NewQuestion } from "../../core/question.ts";
import type { Reviewer } from "../review/contract.ts";
import type { Router } from "../route/contract.ts";
import type { ChildRuns, OnEnded } from "./child-runs.ts";

export interface OrchestratorDeps {
  hub: Hub;
  router: Router;
  reviewer: Reviewer;
  onEnded: OnEnded;
  clock: Clock;
  /** Returns a number from 0 to 1, for the jitter of retries. */
  random: () => number;
  /** Decodes a plan; throws PLAN_INVALID. */
  readPlan: (value: Json) => Plan;
  /** Resolves with the problems in the checks of a plan's reviews. */
  checkProblems?: (plan: Plan) => Promise<PlanProblem[]>;
  /** Resolves with the capabilities of this hub's agents, for planners. */
  capabilities: () => Promise<Capability[]>;
  /** Resolves with the capability of a registered agent; undefined where it has none of this name. */
  capabilityOf: (agent: string, name: string) => Promise<Capability | undefined>;
  report: (problem: unknown, runId: string) => void;
}

export interface GoalContext {
  deps: OrchestratorDeps;
  job: Job;
  goal: string;
  options: GoalOptions;
  fold: GoalFold;
  children: ChildRuns;
  /** Writes an event into the goal's log and into `fold`. */
  record(event: EventDraft): Promise<void>;
  keep(name: string, data: Json): Promise<void>;
  /** Resolves with the answer; the same id again resolves with the same answer, even after a crash. */
  ask(question: NewQuestion): Promise<Answer>;
  /** Returns the failure that ends the goal before everything is done; undefined while it goes on. */
  stopped(): Failure | undefined;
  /** Stops the goal and asks its runs to stop. The first reason counts. */
  stop(because: Failure): void;
  /** Resolves as soon as the goal is not paused. */
  going(): Promise<void>;
  /** Aborted when the goal is stopped. */
  signal: AbortSignal;
}

/** What a sub-task's run says of the goal it belongs to, in its metadata. */
export interface GoalMark extends JsonObject {
  id: string;
  key: string;
  attempt: number;
  /** Hashes of agent, capability and input of every run from the outermost goal down to this one. */
  path: string[];
}
