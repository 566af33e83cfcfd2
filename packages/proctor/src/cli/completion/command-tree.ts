// The commands, flags and choices a shell can complete, read from the commander tree, so that they never disagree.
import type { Command, Option } from "commander";

export interface CompletionFlag {
  /** Spellings of the flag: `--agent`, and `-a` when there is one. */
  names: string[];
  description: string;
  takesValue: boolean;
  /** Values that the flag takes. Empty where any value will do. */
  choices: string[];
}

export interface CompletionCommand {
  /** Words of the command without the program: `runs show`, or empty for the program itself. */
  path: string;
  description: string;
  subcommands: { name: string; description: string }[];
  flags: CompletionFlag[];
  /** Values of its arguments. Empty where any value will do. */
  choices: string[];
}

/** The program first, then every command in the order of the help. */
export function readCommandTree(program: Command): CompletionCommand[] {
  return visit(program, []);
}

function visit(command: Command, path: readonly string[]): CompletionCommand[] {
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command);
  const entry: CompletionCommand = {
    path: path.join(" "),
    description: help.subcommandDescription(command),
    subcommands: subcommands.map((sub) => ({
      name: sub.name(),
      description: help.subcommandDescription(sub),
    })),
    flags: help.visibleOptions(command).map(readFlag),
    choices: command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
  };
  // `help` is a command only for commander: what can follow it are the commands themselves.
  const known = subcommands.filter((sub) => command.commands.includes(sub));
  return [entry, ...known.flatMap((sub) => visit(sub, [...path, sub.name()]))];
}

function readFlag(option: Option): CompletionFlag {
  return {
    names: [option.long, option.short].filter((name) => name !== undefined && name !== null),
    description: option.description,
    takesValue: option.required || option.optional,
    choices: [...(option.argChoices ?? [])],
  };
}
