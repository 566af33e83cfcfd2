// The flags of `proctor tasks`.
import { SYSTEM_TRUST } from "../../../core/environment.ts";
import { REPORTER_NAMES } from "../../../suites/reporters/catalogue.ts";
import {
  choice,
  documentFlags,
  environmentFlags,
  flag,
  list,
  positiveInteger,
  positiveNumber,
  reporterFlag,
  wholeNumber,
  type FlagsOf,
} from "../../flags.ts";

const ONLY = list("--only <name>", "only tasks of this name; * matches anything (repeatable)");
const EXCLUDE = list("--exclude <name>", "not those (repeatable)");
const PARALLEL = flag("-n, --parallel <n>", "trials at once (4)", positiveInteger);
const ATTEMPTS = flag("-k, --attempts <n>", "trials of each task (1)", positiveInteger);
const OUTPUT = flag("-o, --output <dir>", "where each trial is written (jobs/<date>)");

const taskFlags = (printed: string) =>
  [
    ONLY,
    EXCLUDE,
    flag("--skip-unsupported", "leave out tasks that cannot be run here, and count them as skipped"),
    choice(
      "--verify <system>",
      "programs of the system that an agent changed, for the tests (restored)",
      SYSTEM_TRUST,
    ),
    ...environmentFlags("auto"),
    ...documentFlags(printed),
  ] as const;

export const RUN_TASKS_FLAGS = [
  list("-a, --agent <address>", "who does them: an address, a name, oracle or nop (repeatable)"),
  PARALLEL,
  ATTEMPTS,
  flag("--max-steps <n>", "steps that an agent has (100)", positiveInteger),
  flag("--command-seconds <s>", "time limit of one command (120; the oracle has the task's)", positiveNumber),
  list("-e, --env <key[=value]>", "give the agent a secret; without a value, the one set here (repeatable)"),
  flag("--timeout-factor <x>", "multiplies every time limit of the tasks", positiveNumber),
  choice("--snapshots <when>", "when the state of the files is kept (auto)", ["each", "auto", "last", "off"]),
  OUTPUT,
  reporterFlag(REPORTER_NAMES),
  flag("--resume", "go on where the last invocation was interrupted"),
  flag("--record <folder>", "keep what travels between hub and agents"),
  flag("--fail-fast", "stop at the first task that fails"),
  flag("--max-cost <usd>", "start no further trial once the cost reaches this amount", positiveNumber),
  flag("--retry-errors <n>", "retry a trial up to n times after an infrastructure failure (1)", wholeNumber),
  ...taskFlags("the report"),
] as const;
export type RunTasksFlags = FlagsOf<typeof RUN_TASKS_FLAGS>;

export const REGRADE_FLAGS = [
  list("-a, --agent <address>", "whose trials: as they were run (repeatable)"),
  PARALLEL,
  ATTEMPTS,
  OUTPUT,
  ...taskFlags("the report"),
] as const;

export const CHECK_TASKS_FLAGS = [
  flag("--runs <n>", "how often each is tried (3)", positiveInteger),
  PARALLEL,
  ...taskFlags("what was found"),
] as const;
export type CheckTasksFlags = FlagsOf<typeof CHECK_TASKS_FLAGS>;

export const FORK_FLAGS = [
  flag("--step <n>", "after this step (the last)", wholeNumber),
  flag("-a, --agent <address>", "who goes on (required)"),
  ...environmentFlags("as the trial had"),
  ...documentFlags("the run"),
] as const;
export type ForkFlags = FlagsOf<typeof FORK_FLAGS>;

export const LIST_TASKS_FLAGS = [
  ONLY,
  EXCLUDE,
  flag("--plan", "build each task's environment, to see which cannot be had and which packages lack"),
  ...environmentFlags("auto"),
  ...documentFlags("the tasks"),
] as const;
export type ListTasksFlags = FlagsOf<typeof LIST_TASKS_FLAGS>;
