// `proctor run`: one task on one agent, live.
import type { Command } from "commander";
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

export interface RunFlags extends HubFlags, EnvironmentFlags {
  agent?: string;
  task?: string;
  input?: string;
  timeout?: number;
  maxSteps?: number;
  commandSeconds?: number;
  maxTokens?: number;
  budget?: number;
  env?: string[];
  metadata?: string[];
  retries?: number;
  json?: boolean;
  strict?: boolean;
  canary?: boolean;
  tools?: string;
  allowTool?: string[];
  forbidTools?: boolean;
  workspace?: string;
  collect?: string[];
  keepWorkspace?: boolean;
  record?: string;
  otlp?: string;
}

const EXAMPLES = `
Examples:
  $ proctor run --agent "atp+stdio:python agent.py" --task "Summarise README.md"
  $ proctor run --agent writer --task "Write a haiku" --timeout 60 --budget 0.05
  $ proctor run --agent writer --task "Review" --input data.json --env API_KEY
  $ proctor run --agent writer --task "Find rivals" --tools tools.yaml --strict
  $ proctor run -a "term+stdio:agent.py" -t "Create hello.txt"
  $ echo '{"n": [1, 2]}' | proctor run -a writer -t "Add up" --input - --json

A program given by address runs in the current directory. Ctrl-C cancels the
run and waits for it to end. The exit code is 0 when the run completed, and 1
when it did not.`;

export function defineRun(program: Command, execute: Execute): void {
  const command = program
    .command("run")
    .summary("run one task on one agent and watch it")
    .description("Run one task on one agent and watch it live.")
    .option(
      "-a, --agent <address>",
      "the agent: an address like atp+stdio:<command>, or a registered name (required)",
    )
    .option("-t, --task <text>", "what the agent is asked to do (required)")
    .option("-i, --input <file>", "JSON object for the task's input data; - reads it from stdin")
    .option("--timeout <seconds>", "time limit", positiveInteger)
    .option("--max-steps <n>", "limit of steps", positiveInteger)
    .option("--command-seconds <s>", "time limit of one command in a terminal (120)", positiveNumber)
    .option("--max-tokens <n>", "limit of tokens", positiveInteger)
    .option("--budget <usd>", "limit of cost", positiveNumber)
    .option(
      "-e, --env <key[=value]>",
      "give the agent a secret; without a value, the one set here (repeatable)",
      collect,
    )
    .option("--metadata <key=value>", "attach a note to the run (repeatable)", collect)
    .option("--tools <file>", "serve the tools that this YAML file defines to the agent")
    .option("--allow-tool <name>", "the agent may use only these tools (repeatable)", collect)
    .option("--forbid-tools", "the agent may use no tools at all")
    .option("--workspace <dir>", "start with a copy of this directory as the agent's workspace")
    .option(
      "--collect <pattern>",
      "keep files of the workspace that match, such as '**/*.md' (repeatable)",
      collect,
    )
    .option("--keep-workspace", "do not remove the workspace after the run")
    .option("--strict", "a violation of its protocol fails the run")
    .option("--canary", "give the agent a unique secret, and fail the run where it turns up again")
    .option("--record <file>", "write down everything that travels, to be replayed: replay+file:<file>")
    .option("--otlp <url>", "send the run as a trace to this OpenTelemetry collector")
    .option("--retries <n>", "try again up to n times after a failure that is worth it", wholeNumber);
  addJsonOption(command, "the response");
  addHubOptions(addEnvironmentOptions(command))
    .addHelpText("after", EXAMPLES)
    .action((flags: RunFlags) =>
      execute(async (context) => (await import("../actions/run/run-task.ts")).runTask(flags, context)),
    );
}
