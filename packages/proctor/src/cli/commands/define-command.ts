// A command as data: its name, what it takes, its help, and the action that is loaded when it runs.
import type { Command } from "commander";
import type { CommandContext, Execute } from "../compose/compose.ts";
import type { Flag, FlagsOf } from "../flags.ts";

/** An argument as commander spells it (`<run>`, `[name]` or `<path...>`), and its line in the help. */
type Argument = readonly [spelled: string, description: string];

type ValueOf<Spelled extends string> = Spelled extends `${string}...${string}`
  ? string[]
  : Spelled extends `<${string}`
    ? string
    : string | undefined;

type ValuesOf<Arguments extends readonly Argument[]> = {
  -readonly [Index in keyof Arguments]: ValueOf<Arguments[Index][0]>;
};

interface CommandOptions<Arguments extends readonly Argument[], Flags extends readonly Flag[]> {
  name: string;
  /** Whether the parent runs this command when none of its commands is named. */
  isDefault?: boolean;
  /** The command's line in the help of its parent. */
  summary: string;
  /** The first line of the command's own help; the summary as a sentence when absent. */
  description?: string;
  arguments?: Arguments;
  flags?: Flags;
  /** Command lines that are shown below the flags. */
  examples?: readonly string[];
  /** Text that is shown below the examples. */
  note?: string;
  /** Loads the action, which gets the arguments, then the flags. */
  action: () => Promise<
    (...given: [...ValuesOf<Arguments>, FlagsOf<Flags>, CommandContext]) => Promise<number>
  >;
}

export function defineCommand<
  const Arguments extends readonly Argument[] = readonly [],
  const Flags extends readonly Flag[] = readonly [],
>(parent: Command, execute: Execute, options: CommandOptions<Arguments, Flags>): void {
  const { name, summary, description = `${summary[0]?.toUpperCase()}${summary.slice(1)}.` } = options;
  const command = parent
    .command(name, { isDefault: options.isDefault === true })
    .summary(summary)
    .description(description);
  for (const [spelled, text] of options.arguments ?? []) command.argument(spelled, text);
  for (const { option } of options.flags ?? []) command.addOption(option);
  command.addHelpText("after", helpText(options)).action((...parsed: unknown[]) =>
    execute(async (context) => {
      const action = await options.action();
      // Commander parsed what the options name; the command itself comes last.
      const given = parsed.slice(0, -1) as [...ValuesOf<Arguments>, FlagsOf<Flags>];
      return action(...given, context);
    }),
  );
}

function helpText({ examples = [], note }: { examples?: readonly string[]; note?: string }): string {
  const shown = examples.map((line) => `\n  $ ${line}`).join("");
  return [shown && `\nExamples:${shown}`, note && `\n${note}`].filter(Boolean).join("\n");
}
