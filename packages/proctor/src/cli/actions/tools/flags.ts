// The flags of `proctor tools`.
import { ENVIRONMENT_KINDS } from "../../../core/environment.ts";
import type { ScriptLanguage } from "../../../core/script-tool.ts";
import { choice, documentFlags, flag, PAGE_FLAGS, positiveInteger, type FlagsOf } from "../../flags.ts";

/** The languages of script tools, written out again so that the other commands load nothing of script tools. */
const LANGUAGES = ["javascript", "node", "python", "shell"] as const satisfies readonly ScriptLanguage[];

export const LIST_TOOLS_FLAGS = PAGE_FLAGS;
export type ListToolsFlags = FlagsOf<typeof LIST_TOOLS_FLAGS>;

export const ADD_TOOL_FLAGS = [
  flag("--parameters <json>", "JSON Schema of the input, or a file with it (required)"),
  flag("--returns <json>", "JSON Schema of the output, or a file with it"),
  choice("--language <name>", "how the file is run (by its name: .js, .py or .sh)", LANGUAGES),
  flag("--description <text>", "what the tool is for, in the words that models read"),
  flag("--tool-version <text>", "the version of the tool"),
  flag("--time-ms <n>", "stop it after n milliseconds; of CPU time for javascript", positiveInteger),
  flag("--memory-mb <n>", "give it at most n megabytes of memory", positiveInteger),
  flag("--output-bytes <n>", "take at most n bytes of output", positiveInteger),
  choice(
    "--environment <kind>",
    "where a program runs (the strongest isolation available)",
    ENVIRONMENT_KINDS,
  ),
  flag("--image <name>", "the container image that a program runs in"),
  flag("--replace", "replace a tool of that name"),
  ...documentFlags("the tool"),
] as const;
export type AddToolFlags = FlagsOf<typeof ADD_TOOL_FLAGS>;

export const CALL_TOOL_FLAGS = [
  flag("--input <json>", "what the tool is called with; - reads it from stdin ({})"),
  flag("--unsafe-local", "allow programs on this machine itself, without isolation"),
  ...documentFlags("the result"),
] as const;
export type CallToolFlags = FlagsOf<typeof CALL_TOOL_FLAGS>;
