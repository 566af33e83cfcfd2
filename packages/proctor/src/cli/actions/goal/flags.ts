// The flags of `proctor goal`.
import {
  documentFlags,
  flag,
  HUB_FLAGS,
  list,
  PAGE_FLAGS,
  positiveInteger,
  positiveNumber,
  type FlagsOf,
} from "../../flags.ts";

export const GOAL_FLAGS = [
  flag("--plan <file>", "the plan, as YAML or JSON; instead of an agent that plans"),
  list("--param <key=value>", "a parameter of the plan; the value is JSON, or else text (repeatable)"),
  flag("--capability <name>", "one task, for an agent that has this capability"),
  flag("--input <json>", "the input of that task; @<file> reads it from a file"),
  flag("--planner <agent>", "the agent that plans (any with the capability plan)"),
  flag("--approve-plan", "ask before the plan is carried out"),
  list("--notify <user>", "who is told of what waits for a person: user:<id> (repeatable)"),
  flag("--budget-seconds <n>", "how long the whole goal may take", positiveInteger),
  flag("--budget-tokens <n>", "how many tokens all of its runs may use", positiveInteger),
  flag("--budget-usd <amount>", "how much all of its runs may cost", positiveNumber),
  flag("--budget-runs <n>", "how many runs it may have", positiveInteger),
  flag("--concurrency <n>", "how many sub-tasks are at work at once (50)", positiveInteger),
  flag("--idempotency-key <key>", "the same key again is the same goal"),
  flag("--dry-run", "check the plan, show who would get what, and do nothing"),
  flag("--detach", "print the goal's id, and do not wait for it"),
  ...documentFlags("the goal"),
] as const;
export type GoalFlags = FlagsOf<typeof GOAL_FLAGS>;

export const LIST_GOALS_FLAGS = PAGE_FLAGS;
export type ListGoalsFlags = FlagsOf<typeof LIST_GOALS_FLAGS>;

export const SHOW_GOAL_FLAGS = [
  flag("--why", "also show why each sub-task went to whom"),
  ...documentFlags("{goal, subtasks}"),
] as const;
export type ShowGoalFlags = FlagsOf<typeof SHOW_GOAL_FLAGS>;

export const ROUTE_FLAGS = [
  flag("--capability <name>", "what is to be done"),
  flag("--agent <name>", "the agent that is to do it"),
  flag("--version <range>", "versions of the capability, as in ^1.2"),
  flag("--input <json>", "the input, which must fit; @<file> reads it from a file"),
  ...documentFlags("the decision"),
] as const;
export type RouteFlags = FlagsOf<typeof ROUTE_FLAGS>;

export const RERUN_FLAGS = [
  list("--from <task>", "tasks to do again, with all that depend on them (those that failed) (repeatable)"),
  list("--agent <task=agent>", "another agent for a task (repeatable)"),
  list("--input <task=json>", "another input for a task (repeatable)"),
  flag("--detach", "print the goal's id, and do not wait for it"),
  ...documentFlags("the goal"),
] as const;
export type RerunFlags = FlagsOf<typeof RERUN_FLAGS>;

export const EXPORT_GOAL_FLAGS = [
  list("--task <task>", "only these tasks (those that failed) (repeatable)"),
  flag("--whole", "one case of the whole goal"),
  flag("-o, --output <file>", "write it to this file"),
  ...HUB_FLAGS,
] as const;
export type ExportGoalFlags = FlagsOf<typeof EXPORT_GOAL_FLAGS>;
