// The tree of commands, and what runs the one that the arguments ask for. Light on purpose: commands are definitions only, and every
// action loads what it needs when it runs.
import { Command, CommanderError } from "commander";
import { ProctorError } from "../core/errors.ts";
import type { CliIo } from "./cli-io.ts";
import { defineApprovals } from "./commands/approvals.ts";
import { defineAgents } from "./commands/agents.ts";
import { defineBaseline } from "./commands/baseline.ts";
import { defineBridge } from "./commands/bridge.ts";
import { defineCompare } from "./commands/compare.ts";
import { defineCompletion } from "./commands/completion.ts";
import { defineConform } from "./commands/conform.ts";
import { defineDocs } from "./commands/docs.ts";
import { defineDoctor } from "./commands/doctor.ts";
import { defineEvaluations } from "./commands/evaluations.ts";
import { defineGoal } from "./commands/goal.ts";
import { defineMessages } from "./commands/messages.ts";
import { defineMock } from "./commands/mock.ts";
import { defineRun } from "./commands/run.ts";
import { defineRuns } from "./commands/runs.ts";
import { defineTasks } from "./commands/tasks.ts";
import { defineTest } from "./commands/test.ts";
import { defineToken } from "./commands/token.ts";
import { defineTools } from "./commands/tools.ts";
import { defineUp } from "./commands/up.ts";
import { defineValidate } from "./commands/validate.ts";
import type { Composition, Execute } from "./compose/compose.ts";
import { version } from "./version.ts";

const SUGGESTION = /\n?\(Did you mean ([^)]*)\?\)/;

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

/** Resolves to the exit code. What commander refuses becomes our own kind of error. */
export async function runProgram(
  argv: readonly string[],
  io: CliIo,
  composition: Composition,
): Promise<number> {
  let exitCode = 0;
  const program = createProgram(io, async (action) => {
    exitCode = await action({ io, composition });
  });
  try {
    await program.parseAsync(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    // Help shown because the command was incomplete: it has been printed to stderr and says everything.
    if (error.code === "commander.help") return 2;
    throw usageError(error, program, argv);
  }
  return exitCode;
}

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
  defineBridge(program, execute);
  defineAgents(program, execute);
  defineTools(program, execute);
  defineRuns(program, execute);
  defineEvaluations(program, execute);
  defineApprovals(program, execute);
  defineToken(program, execute);
  defineGoal(program, execute);
  defineMessages(program, execute);
  defineCompletion(program, execute);
  return program;
}

function usageError(error: CommanderError, program: Command, argv: readonly string[]): ProctorError {
  const suggestion = SUGGESTION.exec(error.message)?.[1];
  const what = error.message.replace(SUGGESTION, "").replace(/^error: /, "");
  const help = `see: ${commandPath(program, argv)} --help`;
  const next = suggestion === undefined ? help : `did you mean ${suggestion}?`;
  return new ProctorError("USAGE", `${what}\n${next}`);
}

/** The longest run of subcommands the arguments begin with, flags aside: `proctor runs show`. */
function commandPath(program: Command, argv: readonly string[]): string {
  let command = program;
  const path = [program.name()];
  for (const word of argv) {
    if (word.startsWith("-")) continue;
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next === undefined) break;
    command = next;
    path.push(word);
  }
  return path.join(" ");
}
