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
  /** Tasks to do again; those that failed when absent. */
  from?: string[];
  changes?: Record<string, TaskChange>;
}

export interface SuiteExport {
  /** Only these tasks; those that failed when absent, and the whole goal where none did. */
  tasks?: string[];
  /** One case of the whole goal. */
  whole?: boolean;
}

export interface Goals {
  /** Throws INVALID_REQUEST, PLAN_INVALID, CAPABILITY_NOT_FOUND. */
  submit(
    request: GoalRequest,
    options?: SubmitOptions,
    caller?: Caller,
  ): Promise<{ goal: Goal; created: boolean }>;
  /** Throws GOAL_NOT_FOUND. So do all that take an id. */
  get(id: string): Promise<Goal>;
  list(query: PageRequest & { status?: readonly RunStatus[] }): Promise<Page<Goal>>;
  plan(id: string): Promise<Plan | null>;
  /** In the order of the plan. */
  subtasks(id: string, page: PageRequest): Promise<Page<Subtask>>;
  /** Checks the plan and routes its tasks, and does nothing. */
  preview(request: GoalRequest, caller?: Caller): Promise<PlanPreview>;
  /** Who would get this, and why. */
  route(request: RouteRequest): Promise<RouteDecision>;
  rerun(
    id: string,
    request: RerunRequest,
    options?: SubmitOptions,
    caller?: Caller,
  ): Promise<{ goal: Goal; created: boolean }>;
  diff(first: string, second: string): Promise<GoalDiff>;
  /** A suite, as YAML. */
  exportSuite(id: string, request: SuiteExport): Promise<string>;
}
