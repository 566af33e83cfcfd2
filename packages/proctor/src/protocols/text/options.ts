// The options of a program that prints its answer, and what is wrong with a command line that takes the task.
import { basename } from "node:path";
import { z } from "zod";
import type { AgentSpec } from "../../core/agent.ts";
import type { JsonObject } from "../../core/json.ts";
import { quote } from "../../core/printable.ts";
import { checkValue, type Finding } from "../../runtime/yaml/findings.ts";
import { mistypedPlaceholders, placeholdersIn } from "../placeholders.ts";

const textOptions = z.strictObject({
  /** Content of stdin; nothing when absent and the command line takes the task. */
  input: z.enum(["task", "json"]).optional(),
});

export type TextOptions = z.infer<typeof textOptions>;

export function readTextOptions(
  options: JsonObject,
): { ok: true; value: TextOptions } | { ok: false; findings: Finding[] } {
  return checkValue(textOptions, options, `"options"`);
}

export function checkTextAgent(options: JsonObject, { command = [] }: Pick<AgentSpec, "command">): Finding[] {
  const checked = readTextOptions(options);
  const [, ...words] = command;
  const mistyped = words.flatMap((word) => mistypedPlaceholders(word, []));
  return [...(checked.ok ? [] : checked.findings), ...mistyped, ...codeFindings(command)];
}

/** Programs that read a word as code, and the words after which they do. */
const INTERPRETERS = /^(?:(?:ba|da|z|k|fi)?sh|python[\d.]*|node|bun|deno|perl|ruby|php|pwsh|powershell)$/;
const CODE_FLAG = /^(?:-[A-Za-z]*[cer]|--eval|--print|-p|eval|--command|-Command)$/;

/** Finds placeholders in code: a task in the middle of code would be run as code. */
function codeFindings(command: readonly string[]): Finding[] {
  const code = codeOf(command);
  if (code === undefined || placeholdersIn(code).size === 0) return [];
  const message = `${quote(code)} would be run as code, and what is filled in comes from others`;
  const hint = `give it as an argument of its own: sh -c 'program "$1"' sh {task}`;
  return [{ path: [], at: "value", message, hint }];
}

/** Returns the word that an interpreter is given as code; flags of the interpreter's own may stand before it, a script may not. */
function codeOf(command: readonly string[]): string | undefined {
  const start = command.findIndex((word) => INTERPRETERS.test(basename(word)));
  if (start === -1) return undefined;
  for (let index = start + 1; index < command.length; index++) {
    const word = command[index] ?? "";
    if (CODE_FLAG.test(word)) return command[index + 1];
    const isValue = /^[-+][oO]$/.test(command[index - 1] ?? "");
    if (!word.startsWith("-") && !word.startsWith("+") && !isValue) return undefined;
  }
  return undefined;
}
