// `proctor goal`: what is asked of several agents.
import type { Command } from "commander";
import {
  EXPORT_GOAL_FLAGS,
  GOAL_FLAGS,
  LIST_GOALS_FLAGS,
  RERUN_FLAGS,
  ROUTE_FLAGS,
  SHOW_GOAL_FLAGS,
} from "../actions/goal/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";
import { documentFlags } from "../flags.ts";

const GOAL = ["<goal>", 'its id, the beginning of it, or "last"'] as const;

export function defineGoal(program: Command, execute: Execute): void {
  const goal = program
    .command("goal")
    .summary("have several agents reach a goal")
    .description("Have several agents reach a goal: planned, routed, carried out and reviewed.");
  defineCommand(goal, execute, {
    name: "run",
    isDefault: true,
    summary: "ask for a goal, and watch it; `proctor goal <what>` is the same",
    arguments: [["[what]", "the goal in words, or a file with it"]],
    flags: GOAL_FLAGS,
    examples: [
      "proctor goal plan.yaml --param topic=batteries",
      'proctor goal "Summarise the news" --planner planner --approve-plan',
      `proctor goal "Translate it" --capability translate --input '{"text": "Hallo"}'`,
      "proctor goal plan.yaml --dry-run",
    ],
    note: "A goal is a run: `proctor runs cancel`, `pause`, `answer` and `events` work with its id.",
    action: async () => (await import("../actions/goal/run-goal.ts")).runGoal,
  });
  defineCommand(goal, execute, {
    name: "list",
    summary: "list goals",
    flags: LIST_GOALS_FLAGS,
    examples: ["proctor goal list"],
    action: async () => (await import("../actions/goal/list-goals.ts")).listGoals,
  });
  defineCommand(goal, execute, {
    name: "show",
    summary: "show a goal and its sub-tasks",
    arguments: [GOAL],
    flags: SHOW_GOAL_FLAGS,
    examples: ["proctor goal show last --why"],
    action: async () => (await import("../actions/goal/show-goal.ts")).showGoal,
  });
  defineCommand(goal, execute, {
    name: "plan",
    summary: "print the plan of a goal",
    arguments: [GOAL],
    flags: documentFlags("the plan"),
    examples: ["proctor goal plan last"],
    action: async () => (await import("../actions/goal/show-goal.ts")).printPlan,
  });
  defineCommand(goal, execute, {
    name: "route",
    summary: "show who would get a task, and why",
    flags: ROUTE_FLAGS,
    examples: [`proctor goal route --capability translate --input '{"text": "Hallo"}'`],
    action: async () => (await import("../actions/goal/route-task.ts")).routeTask,
  });
  defineCommand(goal, execute, {
    name: "rerun",
    summary: "do a part of a goal again",
    description: "Do a part of a goal again: a new goal, which takes over what is not done again.",
    arguments: [GOAL],
    flags: RERUN_FLAGS,
    examples: ["proctor goal rerun last", "proctor goal rerun last --from summary --agent summary=writer"],
    action: async () => (await import("../actions/goal/rerun-goal.ts")).rerunGoal,
  });
  defineCommand(goal, execute, {
    name: "diff",
    summary: "compare two goals",
    arguments: [
      ["<first>", "its id, or the beginning of it"],
      ["<second>", "its id, or the beginning of it"],
    ],
    flags: documentFlags("what differs"),
    examples: ["proctor goal diff 0199a 0199b"],
    action: async () => (await import("../actions/goal/diff-goals.ts")).diffGoals,
  });
  defineCommand(goal, execute, {
    name: "export",
    summary: "make a suite of what went wrong in a goal",
    arguments: [GOAL],
    flags: EXPORT_GOAL_FLAGS,
    examples: ["proctor goal export last -o regression.yaml"],
    action: async () => (await import("../actions/goal/export-goal.ts")).exportGoal,
  });
}
