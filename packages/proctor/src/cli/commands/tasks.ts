// `proctor tasks`: terminal tasks, in the formats that others write them in.
import type { Command } from "commander";
import {
  RUN_TASKS_FLAGS,
  REGRADE_FLAGS,
  CHECK_TASKS_FLAGS,
  FORK_FLAGS,
  LIST_TASKS_FLAGS,
  type CheckTasksFlags,
  type ForkFlags,
  type ListTasksFlags,
  type RunTasksFlags,
} from "../actions/tasks/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { addFlags } from "../flags.ts";

const RUN_EXAMPLES = `
Examples:
  $ proctor tasks run tasks/hello --agent "term+stdio:python agent.py"
  $ proctor tasks run terminal-bench-2/ --agent oracle -n 4
  $ proctor tasks run tasks/ --agent "term+stdio:agent.py" --attempts 5 --output jobs/today
  $ proctor tasks run tasks/ --agent "term+stdio:agent.py" --resume

The agent \`oracle\` types each task's own solution, \`nop\` does nothing. The exit code is 0
when every trial got its reward, 1 when one did not, and 3 when one could not be judged.`;

const CHECK_EXAMPLES = `
Examples:
  $ proctor tasks check tasks/hello
  $ proctor tasks check tasks/ --runs 5 --only 'git-*'

A task is sound when its own solution gets the reward every time, doing nothing never does, and
nothing in its environment gives the solution or the tests away.`;

const FORK_EXAMPLES = `
Examples:
  $ proctor tasks fork 0190b7c2-… --step 3 --agent "term+stdio:other.py"
  $ proctor tasks fork 0190b7c2-… --agent "term+stdio:other.py"

Another agent goes on from the files as they were after that step, with the same instruction. Without a
step it goes on from the end.`;

const LIST_EXAMPLES = `
Examples:
  $ proctor tasks list terminal-bench-2/
  $ proctor tasks list terminal-bench-2/ --plan

What --plan builds is kept: a run after it starts at once.`;

export function defineTasks(program: Command, execute: Execute): void {
  const tasks = program
    .command("tasks")
    .summary("run and check terminal tasks")
    .description("Run and check terminal tasks: those of Harbor and Terminal-Bench, without Docker.");
  defineRun(tasks, execute);
  defineRegrade(tasks, execute);
  defineCheck(tasks, execute);
  defineFork(tasks, execute);
  defineList(tasks, execute);
}

function defineRun(tasks: Command, execute: Execute): void {
  const command = tasks
    .command("run")
    .summary("run tasks with agents, and judge what they leave")
    .description("Run terminal tasks with agents, and judge what they leave behind.")
    .argument("<path...>", "directories of tasks, or of many");
  addFlags(command, RUN_TASKS_FLAGS)
    .addHelpText("after", RUN_EXAMPLES)
    .action((paths: string[], flags: RunTasksFlags) =>
      execute(async (context) =>
        (await import("../actions/tasks/run-tasks.ts")).runTasks(paths, flags, context),
      ),
    );
}

function defineRegrade(tasks: Command, execute: Execute): void {
  const command = tasks
    .command("regrade")
    .summary("re-grade the previous trials")
    .description("Re-grade the previous trials from the files that the agents left. No agent is called.")
    .argument("<path...>", "directories of tasks, or of many");
  addFlags(command, REGRADE_FLAGS).action((paths: string[], flags: RunTasksFlags) =>
    execute(async (context) =>
      (await import("../actions/tasks/run-tasks.ts")).runTasks(paths, flags, context, { regrade: true }),
    ),
  );
}

function defineCheck(tasks: Command, execute: Execute): void {
  const command = tasks
    .command("check")
    .summary("is a task sound?")
    .description("Check that tasks are sound: the solution passes, doing nothing fails, nothing leaks.")
    .argument("<path...>", "directories of tasks, or of many");
  addFlags(command, CHECK_TASKS_FLAGS)
    .addHelpText("after", CHECK_EXAMPLES)
    .action((paths: string[], flags: CheckTasksFlags) =>
      execute(async (context) =>
        (await import("../actions/tasks/check-tasks.ts")).checkTasks(paths, flags, context),
      ),
    );
}

function defineFork(tasks: Command, execute: Execute): void {
  const command = tasks
    .command("fork")
    .summary("let another agent go on from a step of a trial")
    .description("Let another agent go on from the files as they were after a step of a trial.")
    .argument("<run>", "id of the trial's run, the beginning of it, or last");
  addFlags(command, FORK_FLAGS)
    .addHelpText("after", FORK_EXAMPLES)
    .action((run: string, flags: ForkFlags) =>
      execute(async (context) =>
        (await import("../actions/tasks/fork-trial.ts")).forkTrial(run, flags, context),
      ),
    );
}

function defineList(tasks: Command, execute: Execute): void {
  const command = tasks
    .command("list")
    .summary("show tasks, and what is wrong with them")
    .description("Show the tasks in directories, and what is wrong with them. No agent is run.")
    .argument("<path...>", "directories of tasks, or of many");
  addFlags(command, LIST_TASKS_FLAGS)
    .addHelpText("after", LIST_EXAMPLES)
    .action((paths: string[], flags: ListTasksFlags) =>
      execute(async (context) =>
        (await import("../actions/tasks/list-tasks.ts")).listTasks(paths, flags, context),
      ),
    );
}
