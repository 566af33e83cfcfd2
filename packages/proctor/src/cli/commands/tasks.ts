// `proctor tasks`: terminal tasks, in the formats that others write them in.
import type { Command } from "commander";
import {
  RUN_TASKS_FLAGS,
  REGRADE_FLAGS,
  CHECK_TASKS_FLAGS,
  FORK_FLAGS,
  LIST_TASKS_FLAGS,
} from "../actions/tasks/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";

const PATHS = ["<path...>", "directories of tasks, or of many"] as const;

export function defineTasks(program: Command, execute: Execute): void {
  const tasks = program
    .command("tasks")
    .summary("run and check terminal tasks")
    .description("Run and check terminal tasks: those of Harbor and Terminal-Bench, without Docker.");
  defineCommand(tasks, execute, {
    name: "run",
    summary: "run tasks with agents, and judge what they leave",
    description: "Run terminal tasks with agents, and judge what they leave behind.",
    arguments: [PATHS],
    flags: RUN_TASKS_FLAGS,
    examples: [
      'proctor tasks run tasks/hello --agent "term+stdio:python agent.py"',
      "proctor tasks run terminal-bench-2/ --agent oracle -n 4",
      'proctor tasks run tasks/ --agent "term+stdio:agent.py" --attempts 5 --output jobs/today',
      'proctor tasks run tasks/ --agent "term+stdio:agent.py" --resume',
    ],
    note: `The agent \`oracle\` types each task's own solution, \`nop\` does nothing. The exit code is 0
when every trial got its reward, 1 when one did not, and 3 when one could not be judged.`,
    action: async () => (await import("../actions/tasks/run-tasks.ts")).runTasks,
  });
  defineCommand(tasks, execute, {
    name: "regrade",
    summary: "re-grade the previous trials",
    description: "Re-grade the previous trials from the files that the agents left. No agent is called.",
    arguments: [PATHS],
    flags: REGRADE_FLAGS,
    action: async () => {
      const { runTasks } = await import("../actions/tasks/run-tasks.ts");
      return (paths, flags, context) => runTasks(paths, flags, context, { regrade: true });
    },
  });
  defineCommand(tasks, execute, {
    name: "check",
    summary: "is a task sound?",
    description: "Check that tasks are sound: the solution passes, doing nothing fails, nothing leaks.",
    arguments: [PATHS],
    flags: CHECK_TASKS_FLAGS,
    examples: ["proctor tasks check tasks/hello", "proctor tasks check tasks/ --runs 5 --only 'git-*'"],
    note: `A task is sound when its own solution gets the reward every time, doing nothing never does, and
nothing in its environment gives the solution or the tests away.`,
    action: async () => (await import("../actions/tasks/check-tasks.ts")).checkTasks,
  });
  defineCommand(tasks, execute, {
    name: "fork",
    summary: "let another agent go on from a step of a trial",
    description: "Let another agent go on from the files as they were after a step of a trial.",
    arguments: [["<run>", "id of the trial's run, the beginning of it, or last"]],
    flags: FORK_FLAGS,
    examples: [
      'proctor tasks fork 0190b7c2-… --step 3 --agent "term+stdio:other.py"',
      'proctor tasks fork 0190b7c2-… --agent "term+stdio:other.py"',
    ],
    note: `Another agent goes on from the files as they were after that step, with the same instruction. Without a
step it goes on from the end.`,
    action: async () => (await import("../actions/tasks/fork-trial.ts")).forkTrial,
  });
  defineCommand(tasks, execute, {
    name: "list",
    summary: "show tasks, and what is wrong with them",
    description: "Show the tasks in directories, and what is wrong with them. No agent is run.",
    arguments: [PATHS],
    flags: LIST_TASKS_FLAGS,
    examples: ["proctor tasks list terminal-bench-2/", "proctor tasks list terminal-bench-2/ --plan"],
    note: `What --plan builds is kept: a run after it starts at once.`,
    action: async () => (await import("../actions/tasks/list-tasks.ts")).listTasks,
  });
}
