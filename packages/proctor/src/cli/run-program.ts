// Parses the arguments, runs the action they ask for, and turns what commander refuses into our own kind of error.
import { CommanderError, type Command } from "commander";
import { ProctorError } from "../core/errors.ts";
import type { CliIo } from "./cli-io.ts";
import type { Parts } from "./parts.ts";
import { createProgram } from "./program.ts";

const SUGGESTION = /\n?\(Did you mean ([^)]*)\?\)/;

export async function runProgram(argv: readonly string[], io: CliIo, parts: Parts): Promise<number> {
  let exitCode = 0;
  const program = createProgram(io, async (action) => {
    exitCode = await action({ io, parts });
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
