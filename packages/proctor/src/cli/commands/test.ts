// `proctor test`: suites against agents.
import { Option, type Command } from "commander";
import type { Execute, HubFlags } from "../context.ts";
import { addHubOptions, collect, collectAddresses, positiveInteger } from "../options.ts";

export interface TestFlags extends HubFlags {
  agent?: string[];
  tag?: string[];
  only?: string[];
  /** The same by another name. */
  id?: string[];
  reporter?: string[];
  runs?: number;
  concurrency?: number;
  timeout?: number;
  json?: boolean;
  strict?: boolean;
  canary?: boolean;
  transports?: string[];
}

/** Here, because the help and the shells' completion list them; actions/open-reporters.ts makes them. */
export const REPORTER_NAMES = ["console", "json", "jsonl", "junit", "markdown", "tap", "github"] as const;
export type ReporterName = (typeof REPORTER_NAMES)[number];

const EXAMPLES = `
Examples:
  $ proctor test suites/
  $ proctor test smoke.yaml --agent "atp+stdio:python agent.py" --tag '!slow'
  $ proctor test suites/ --reporter console --reporter junit=report.xml
  $ proctor test smoke.yaml --transports "atp+stdio:node a.mjs,atp+ws://host:80"
  $ proctor test smoke.yaml --only greets --runs 5 --json

The exit code is 0 when everything passed, 1 when something failed, and 3 when
nothing failed but something could not be evaluated. Ctrl-C cancels what is in
flight and reports what ended.`;

export function defineTest(program: Command, execute: Execute): void {
  const command = program
    .command("test")
    .summary("run test suites against agents")
    .description("Run test suites against agents and judge the results.")
    .argument("<suite...>", "suite files, or folders of them")
    .option("-a, --agent <address>", "test this agent instead of those the suites name (repeatable)", collect)
    .option("--tag <tag>", "only tests with one of these tags; !tag leaves out (repeatable)", collect)
    .option("--only <id>", "only the test with this id (repeatable)", collect)
    .addOption(new Option("--id <id>", "the same as --only").argParser(collect).hideHelp())
    .addOption(
      // The choices are for help and completion: a file may follow, so openReporters is who refuses.
      new Option("-r, --reporter <name[=file]>", "what to report, to stdout or to a file (repeatable)")
        .choices(REPORTER_NAMES)
        .argParser(collect),
    )
    .option("--runs <n>", "run every test so often, whatever the suite says", positiveInteger)
    .option("--concurrency <n>", "runs in flight at once (10)", positiveInteger)
    .option("--timeout <seconds>", "time limit of every run, whatever the suite says", positiveInteger)
    .option("--strict", "a violation of its protocol fails a run")
    .option("--canary", "give every run a unique secret, and fail it where that turns up again")
    .option(
      "--transports <addresses>",
      "run every test over each of these addresses of one agent, and fail where they differ (repeatable)",
      collectAddresses,
    )
    .option("--json", "the same as --reporter json: the report on stdout, and nothing else there");
  addHubOptions(command)
    .addHelpText("after", EXAMPLES)
    .action((suites: string[], flags: TestFlags) =>
      execute(async (context) =>
        (await import("../actions/test-suites.ts")).testSuites(suites, flags, context),
      ),
    );
}
