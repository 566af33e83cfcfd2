// Goals, carried out by several agents: document 004, section 4. In this process (orchestrator/), and over HTTP (hub/). A goal is a run, so
// that it is followed, cancelled, paused, answered and removed as one, by its id.
import type { Caller } from "../caller.ts";
import type {
  Goal,
  GoalDiff,
  GoalRequest,
  PlanPreview,
  RouteDecision,
  Subtask,
  TaskChange,
} from "../goal.ts";
import type { Json } from "../json.ts";
import type { Page, PageRequest } from "../page.ts";
import type { Doer, Plan } from "../plan.ts";
import type { RunStatus } from "../run.ts";
import type { SubmitOptions } from "./hub.ts";

export interface RouteRequest extends Doer {
  input?: Json;
  labels?: Record<string, string>;
}

export interface RerunRequest {
  /** Ids of tasks to do again; the failed ones when absent. */
  from?: string[];
  changes?: Record<string, TaskChange>;
}

export interface SuiteExport {
  /** Ids of the tasks to export; the failed ones when absent, and the whole goal where none failed. */
  tasks?: string[];
  /** Whether to export one case of the whole goal. */
  whole?: boolean;
}

export interface Goals {
  /** Throws INVALID_REQUEST, PLAN_INVALID, CAPABILITY_NOT_FOUND. */
  submit(
    request: GoalRequest,
    options?: SubmitOptions,
    caller?: Caller,
  ): Promise<{ goal: Goal; created: boolean }>;
  /** Throws GOAL_NOT_FOUND, as do all methods that take an id. */
  get(id: string): Promise<Goal>;
  list(query: PageRequest & { status?: readonly RunStatus[] }): Promise<Page<Goal>>;
  plan(id: string): Promise<Plan | null>;
  /** Lists the sub-tasks in the order of the plan. */
  subtasks(id: string, page: PageRequest): Promise<Page<Subtask>>;
  /** Checks the plan and routes its tasks, without doing anything. */
  preview(request: GoalRequest, caller?: Caller): Promise<PlanPreview>;
  /** Resolves with the agent that would get this work, and why. */
  route(request: RouteRequest): Promise<RouteDecision>;
  rerun(
    id: string,
    request: RerunRequest,
    options?: SubmitOptions,
    caller?: Caller,
  ): Promise<{ goal: Goal; created: boolean }>;
  diff(first: string, second: string): Promise<GoalDiff>;
  /** Resolves with a suite, as YAML. */
  exportSuite(id: string, request: SuiteExport): Promise<string>;
}
