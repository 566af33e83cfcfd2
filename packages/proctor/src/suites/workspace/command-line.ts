// Commands as a suite writes them: a list of words, or a text that is split like a shell does it. There is no shell.
import { z } from "zod";
import { parseCommandLine } from "../../core/command-line.ts";
import { addError } from "../../runtime/yaml/findings.ts";

type CommandLine = string | readonly string[];

export const commandLine = z
  .union([z.string(), z.array(z.string())])
  .superRefine((command: CommandLine, context) => {
    try {
      const [program = ""] = wordsOf(command);
      if (program === "") context.addIssue({ code: "custom", message: "the command is empty" });
    } catch (error) {
      addError(context, error);
    }
  });

/** More words for a command, possibly none. */
export const moreWords = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .superRefine((words: CommandLine, context) => {
    try {
      wordsOf(words);
    } catch (error) {
      addError(context, error);
    }
  });

export function wordsOf(command: CommandLine): readonly string[] {
  return typeof command === "string" ? parseCommandLine(command) : command;
}

/** A time limit in seconds, up to a day. */
export const seconds = z.number().positive().max(86_400);
