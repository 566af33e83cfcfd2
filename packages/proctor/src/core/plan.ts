// What a goal is broken into: document 004, section 4, "TaskTree". A DAG by `dependsOn`, nested by `parentId`.
import type { Json, JsonObject } from "./json.ts";
import type { LlmOptions } from "./run-options.ts";
import type { Constraints, RetryPolicy } from "./task.ts";

/** Limits of a plan: its tasks, the depth of their nesting, the items of one `foreach`. */
export const PLAN_LIMITS = { tasks: 20_000, depth: 16, items: 10_000, dependencies: 1000 } as const;
export const TASK_ID = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** What happens when a task has failed for good. */
export const FAILURE_POLICIES = ["fail", "continue", "fallback", "compensate"] as const;
export type FailurePolicy = (typeof FAILURE_POLICIES)[number];

/** Who does something: an agent by name or address, or any that has the capability. */
export interface Doer extends JsonObject {
  agent?: string;
  capability?: string;
  /** Range of versions of the capability. */
  version?: string;
}

/** One node. Title, description, input, `foreach` and `when` may hold references: `${tasks.a.output.x}`, `${params.p}`, `${goal}`; where there is a `foreach`, the first three also `${item}` and `${index}`. */
export interface PlanTask extends Doer {
  id: string;
  title?: string;
  /** The text for the agent; the title, or the goal, when absent. */
  description?: string;
  /** Labels that the agent must have. */
  labels?: Record<string, string>;
  /** The task's input: an object, or a reference to one. */
  input?: Json;
  /** Ids of the tasks, or groups, that must have ended well before this one begins. */
  dependsOn?: string[];
  /** The group that the task belongs to: a task with neither agent nor capability. */
  parentId?: string;
  /** A list, or a reference to one: the task is carried out once for each item. */
  foreach?: Json;
  /** The condition without which the task is skipped. */
  when?: Condition;
  /** Key of a conversation: runs of one goal with the same key go to the same agent and are one conversation. */
  conversation?: string;
  retry?: RetryPolicy;
  timeout_seconds?: number;
  constraints?: Constraints;
  /** The model endpoint of the task's runs; the goal's own `llm` when absent. */
  llm?: LlmOptions;
  /** What happens on failure; `fail` when absent. `fallback` goes to the agent in `fallback`, or without one to the next best agent. */
  on_failure?: FailurePolicy;
  fallback?: Doer;
  /** How to undo the task after it was completed. */
  compensate?: Doer & { input?: Json; description?: string };
  /** How the output is reviewed; the goal's own review when absent. */
  review?: Review;
}

/** A reference alone holds when its value is neither false, 0, empty, null nor missing. */
export type Condition = string | ConditionTest;

export interface ConditionTest extends JsonObject {
  value: Json;
  equals?: Json;
  not_equals?: Json;
  /** The value is one of these. */
  in?: Json[];
  /** The value, a number, is greater or less than this. */
  greater?: number;
  less?: number;
  exists?: boolean;
}

/** The stages of a review, in this order; every stage that is present must agree. The schema that a capability returns is always checked. */
export interface Review extends JsonObject {
  /** Checks, written as in a suite. */
  checks?: Json[];
  /** Name of an agent with the capability `review`; `true` for any. */
  agent?: true | string;
  /** What the agent, or the person, is to look at. */
  rubric?: string;
  /** Whether a person decides. */
  human?: boolean;
  /** Times that the work is done again after "retry"; 2 when absent. */
  rounds?: number;
}

export interface Plan extends JsonObject {
  tasks: PlanTask[];
  /** What the goal yields, with references; when absent, the outputs of the tasks that no other task waits for, by their ids. */
  output?: Json;
}

export const VERDICTS = ["approve", "retry", "reject", "escalate"] as const;
export type ReviewVerdict = (typeof VERDICTS)[number];

/** What is wrong with a plan, and where: `tasks[3].dependsOn[0]`. */
export interface PlanProblem extends JsonObject {
  path: string;
  message: string;
}

export function isGroup({ agent, capability }: PlanTask): boolean {
  return agent === undefined && capability === undefined;
}
