// `proctor tasks`: terminal tasks, in the formats that others write them in.
import { Option, type Command } from "commander";
import { REPORTER_NAMES } from "../../suites/reporters/catalogue.ts";
import { SYSTEM_TRUST, type SystemTrust } from "../../core/ports/verify.ts";
import type { EnvironmentFlags } from "../actions/environment-flags.ts";
import type { Execute, HubFlags } from "../context.ts";
import {
  addEnvironmentOptions,
  addHubOptions,
  addJsonOption,
  collect,
  positiveInteger,
  positiveNumber,
  wholeNumber,
} from "../options.ts";

export interface TaskFlags extends HubFlags, EnvironmentFlags {
  only?: string[];
  exclude?: string[];
  verify?: SystemTrust;
  skipUnsupported?: boolean;
  json?: boolean;
}

export interface RunTasksFlags extends TaskFlags {
  agent?: string[];
  parallel?: number;
  attempts?: number;
  maxSteps?: number;
  commandSeconds?: number;
  env?: string[];
  timeoutFactor?: number;
  snapshots?: "each" | "auto" | "last" | "off";
  output?: string;
  reporter?: string[];
  resume?: boolean;
  record?: string;
  failFast?: boolean;
  maxCost?: number;
  retryErrors?: number;
}

export interface ListTasksFlags extends TaskFlags {
  plan?: boolean;
}

export interface CheckTasksFlags extends TaskFlags {
  runs?: number;
  parallel?: number;
}

export interface ForkFlags extends HubFlags, EnvironmentFlags {
  step?: number;
  agent?: string;
  json?: boolean;
}

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
    .argument("<path...>", "directories of tasks, or of many")
    .option("-a, --agent <address>", "who does them: an address, a name, oracle or nop (repeatable)", collect)
    .option("-n, --parallel <n>", "trials at once (4)", positiveInteger)
    .option("-k, --attempts <n>", "trials of each task (1)", positiveInteger)
    .option("--max-steps <n>", "steps that an agent has (100)", positiveInteger)
    .option(
      "--command-seconds <s>",
      "time limit of one command (120; the oracle has the task's)",
      positiveNumber,
    )
    .option(
      "-e, --env <key[=value]>",
      "give the agent a secret; without a value, the one set here (repeatable)",
      collect,
    )
    .option("--timeout-factor <x>", "multiplies every time limit of the tasks", positiveNumber)
    .addOption(
      new Option("--snapshots <when>", "when the state of the files is kept (auto)").choices([
        "each",
        "auto",
        "last",
        "off",
      ]),
    )
    .option("-o, --output <dir>", "where each trial is written (jobs/<date>)")
    .addOption(
      new Option("-r, --reporter <name[=file]>", "what to report, to stdout or to a file (repeatable)")
        .choices(REPORTER_NAMES)
        .argParser(collect),
    )
    .option("--resume", "go on where the last invocation was interrupted")
    .option("--record <folder>", "keep what travels between hub and agents")
    .option("--fail-fast", "stop at the first task that fails")
    .option("--max-cost <usd>", "start no further trial once the cost reaches this amount", positiveNumber)
    .option(
      "--retry-errors <n>",
      "retry a trial up to n times after an infrastructure failure (1)",
      wholeNumber,
    );
  addTaskOptions(command, "the report")
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
    .argument("<path...>", "directories of tasks, or of many")
    .option("-a, --agent <address>", "whose trials: as they were run (repeatable)", collect)
    .option("-n, --parallel <n>", "trials at once (4)", positiveInteger)
    .option("-k, --attempts <n>", "trials of each task (1)", positiveInteger)
    .option("-o, --output <dir>", "where each trial is written (jobs/<date>)");
  addTaskOptions(command, "the report").action((paths: string[], flags: RunTasksFlags) =>
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
    .argument("<path...>", "directories of tasks, or of many")
    .option("--runs <n>", "how often each is tried (3)", positiveInteger)
    .option("-n, --parallel <n>", "trials at once (4)", positiveInteger);
  addTaskOptions(command, "what was found")
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
    .argument("<run>", "id of the trial's run, the beginning of it, or last")
    .option("--step <n>", "after this step (the last)", wholeNumber)
    .option("-a, --agent <address>", "who goes on (required)");
  addHubOptions(addJsonOption(addEnvironmentOptions(command, "as the trial had"), "the run"))
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
    .argument("<path...>", "directories of tasks, or of many")
    .option("--only <name>", "only tasks of this name; * matches anything (repeatable)", collect)
    .option("--exclude <name>", "not those (repeatable)", collect)
    .option("--plan", "build each task's environment, to see which cannot be had and which packages lack");
  addHubOptions(addJsonOption(addEnvironmentOptions(command, "auto"), "the tasks"))
    .addHelpText("after", LIST_EXAMPLES)
    .action((paths: string[], flags: ListTasksFlags) =>
      execute(async (context) =>
        (await import("../actions/tasks/list-tasks.ts")).listTasks(paths, flags, context),
      ),
    );
}

function addTaskOptions(command: Command, printed: string): Command {
  command
    .option("--only <name>", "only tasks of this name; * matches anything (repeatable)", collect)
    .option("--exclude <name>", "not those (repeatable)", collect)
    .option("--skip-unsupported", "leave out tasks that cannot be run here, and count them as skipped")
    .addOption(
      new Option(
        "--verify <system>",
        "programs of the system that an agent changed, for the tests (restored)",
      ).choices(SYSTEM_TRUST),
    );
  return addHubOptions(addJsonOption(addEnvironmentOptions(command, "auto"), printed));
}
