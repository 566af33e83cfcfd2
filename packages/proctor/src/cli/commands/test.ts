// `proctor test`: suites against agents.
import { InvalidArgumentError, Option, type Command } from "commander";
import { REPORTER_NAMES, REPORTERS } from "../../suites/reporters/catalogue.ts";
import type { JudgeFlags } from "../actions/test/require-judge.ts";
import type { EnvironmentFlags } from "../actions/environment-flags.ts";
import type { Execute, HubFlags } from "../context.ts";
import {
  addEnvironmentOptions,
  addHubOptions,
  collect,
  collectAddresses,
  positiveInteger,
  positiveNumber,
  wholeNumber,
} from "../options.ts";

export interface TestFlags extends HubFlags, EnvironmentFlags, JudgeFlags {
  agent?: string[];
  tag?: string[];
  only?: string[];
  /** The same by another name. */
  id?: string[];
  list?: boolean;
  reporter?: string[];
  runs?: number;
  concurrency?: number;
  timeout?: number;
  json?: boolean;
  strict?: boolean;
  canary?: boolean;
  transports?: string[];
  failFast?: boolean;
  maxCost?: number;
  retryErrors?: number;
  shard?: { part: number; of: number };
  resume?: boolean;
  rerunFailed?: boolean;
  rescore?: boolean;
  results?: string;
  cache?: boolean;
  watch?: boolean;
  record?: string;
  replay?: string;
  otlp?: string;
  baseline?: string;
}

const EXAMPLES = `
Examples:
  $ proctor test suites/
  $ proctor test smoke.yaml --agent "atp+stdio:python agent.py" --tag '!slow'
  $ proctor test suites/ --reporter console --reporter junit=report.xml
  $ proctor test smoke.yaml --transports "atp+stdio:node a.mjs,atp+ws://host:80"
  $ proctor test smoke.yaml --only greets --runs 5 --json
  $ proctor test suites/ --only 'refund*' --list
  $ proctor test suites/ --resume
  $ proctor test suites/ --record recordings/ && proctor test suites/ --replay recordings/

The exit code is 0 when everything passed, 1 when something failed, and 3 when
nothing failed but something could not be evaluated. Ctrl-C cancels what is in
flight and reports what ended; --resume goes on from there.`;

const REPORTER_LIST = REPORTER_NAMES.map((name) => `  ${name.padEnd(10)}${REPORTERS[name]}`).join("\n");

export function defineTest(program: Command, execute: Execute): void {
  const command = program
    .command("test")
    .summary("run test suites against agents")
    .description("Run test suites against agents and judge the results.")
    .argument("<suite...>", "suite files, or folders of them")
    .option("-a, --agent <address>", "test this agent instead of those the suites name (repeatable)", collect)
    .option("--tag <tag>", "only tests with one of these tags; !tag leaves out (repeatable)", collect)
    .option(
      "-t, --only <test>",
      "only tests with this id, pattern of ids (*) or part of a name (repeatable)",
      collect,
    )
    .addOption(new Option("--id <id>", "the same as --only").argParser(collect).hideHelp())
    .addOption(
      // The choices are for help and completion: a file may follow, so openReporters is who refuses.
      new Option("-r, --reporter <name[=file]>", "what to report, to stdout or to a file (repeatable)")
        .choices(REPORTER_NAMES)
        .argParser(collect),
    )
    .option("--list", "print the tests that would run, and run nothing")
    .option("--runs <n>", "run every test n times, whatever the suite says", positiveInteger)
    .option("--concurrency <n>", "runs in flight at once (10)", positiveInteger)
    .option("--timeout <seconds>", "time limit of every run, whatever the suite says", positiveInteger)
    .option("--strict", "a violation of its protocol fails a run")
    .option("--canary", "give every run a unique secret, and fail it where that turns up again")
    .option(
      "--transports <addresses>",
      "run every test over each of these addresses of one agent, and fail where they differ (repeatable)",
      collectAddresses,
    )
    .option("--fail-fast", "stop at the first test that fails")
    .option("--max-cost <usd>", "start no further run once the cost reaches this amount", positiveNumber)
    .option(
      "--retry-errors <n>",
      "retry a run up to n times after an infrastructure failure (1)",
      wholeNumber,
    )
    .option("--shard <part/of>", "only one part of the tests, for machines that share them: 1/3", shard)
    .option("--resume", "go on where the last invocation was interrupted")
    .option("--rerun-failed", "only what did not pass last time")
    .option("--rescore", "re-grade the previous runs, without calling an agent")
    .option("--results <file>", "which results --resume, --rerun-failed and --rescore go by (the last ones)")
    .option("--cache", "take runs of the same content that the hub has already")
    .option("--watch", "run again whenever a file changes")
    .option("--record <folder>", "keep what travels between hub and agents")
    .option("--replay <folder>", "play what was recorded instead of calling agents")
    .option("--baseline <file>", "compare with earlier results, and fail when something got worse")
    .option("--without-judge", "run even if checks need a judge and none is configured")
    .option("--otlp <url>", "send every run as a trace to this OpenTelemetry collector")
    .option("--json", "the same as --reporter json: the report on stdout, and nothing else there");
  addHubOptions(addEnvironmentOptions(command))
    .addHelpText("after", `\nReporters:\n${REPORTER_LIST}\n${EXAMPLES}`)
    .action((suites: string[], flags: TestFlags) =>
      execute(async (context) =>
        (await import("../actions/test/test-suites.ts")).testSuites(suites, flags, context),
      ),
    );
}

function shard(value: string): { part: number; of: number } {
  const [, part = "0", of = "0"] = /^(\d{1,6})\/(\d{1,6})$/.exec(value) ?? [];
  const parsed = { part: Number(part), of: Number(of) };
  if (parsed.part >= 1 && parsed.part <= parsed.of) return parsed;
  throw new InvalidArgumentError("It must be like 2/3: the second part of three.");
}
