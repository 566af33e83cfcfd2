// The tree of commands. Light on purpose: definitions only, every action loads what it needs when it runs.
import { Command } from "commander";
import type { CliIo } from "./cli-io.ts";
import { defineAgents } from "./commands/agents.ts";
import { defineBaseline } from "./commands/baseline.ts";
import { defineCompare } from "./commands/compare.ts";
import { defineCompletion } from "./commands/completion.ts";
import { defineConform } from "./commands/conform.ts";
import { defineDocs } from "./commands/docs.ts";
import { defineDoctor } from "./commands/doctor.ts";
import { defineMock } from "./commands/mock.ts";
import { defineRun } from "./commands/run.ts";
import { defineRuns } from "./commands/runs.ts";
import { defineTasks } from "./commands/tasks.ts";
import { defineTest } from "./commands/test.ts";
import { defineUp } from "./commands/up.ts";
import { defineValidate } from "./commands/validate.ts";
import type { Execute } from "./context.ts";
import { version } from "./version.ts";

const AFTER_HELP = `
Exit codes:
  0  passed                 2  the input or the configuration is wrong
  1  something failed       3  nothing failed, but something could not be evaluated
                          130  interrupted

Examples:
  $ proctor run --agent "atp+stdio:python agent.py" --task "Summarise README.md"
  $ proctor test suites/
  $ proctor up

Every command works with or without a running hub. Configuration: flags, then the
environment, then proctor.yaml.`;

export function createProgram(io: CliIo, execute: Execute): Command {
  const program = new Command("proctor")
    .description("One hub and one command line for AI agents, whatever protocol they speak.")
    .version(version(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      // Errors are thrown as well, and reported in one place.
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
      getOutHasColors: () => io.stdout.isTTY === true && !io.env["NO_COLOR"],
      getErrHasColors: () => io.stderr.isTTY === true && !io.env["NO_COLOR"],
    })
    .configureHelp({
      styleTitle: (title) => `\u001b[1m${title}\u001b[22m`,
      showGlobalOptions: false,
    })
    .addHelpText("after", AFTER_HELP);
  defineRun(program, execute);
  defineTest(program, execute);
  defineTasks(program, execute);
  defineBaseline(program, execute);
  defineCompare(program, execute);
  defineValidate(program, execute);
  defineUp(program, execute);
  defineConform(program, execute);
  defineDoctor(program, execute);
  defineDocs(program, execute);
  defineMock(program, execute);
  defineAgents(program, execute);
  defineRuns(program, execute);
  defineCompletion(program, execute);
  return program;
}
