// The flags of `proctor agents`.
import { flag, HUB_FLAGS, jsonFlag, list, positiveInteger, type FlagsOf } from "../../flags.ts";

export const LIST_FLAGS = [
  flag("--limit <n>", "at most n items", positiveInteger),
  flag("--cursor <cursor>", "continue where an earlier list ended"),
  jsonFlag("{items, next_cursor}"),
  ...HUB_FLAGS,
] as const;
export type ListFlags = FlagsOf<typeof LIST_FLAGS>;

export const ADD_AGENT_FLAGS = [
  list(
    "-e, --env <key[=value]>",
    "environment of its program; without a value, the one set here (repeatable)",
  ),
  list("--header <key=value>", "header of every request to it (repeatable)"),
  flag("--cwd <dir>", "directory in which its program is started"),
  list(
    "--client-env <name>",
    "clients may set this variable, though it could make the program load code (repeatable)",
  ),
  list("--option <key=value>", "an option of its protocol; objects and lists as JSON (repeatable)"),
  flag("--options <json>", "all options of its protocol, as a JSON object"),
  flag("--concurrency <n>", "how many runs it takes at once", positiveInteger),
  flag("--description <text>", "what it is for; its A2A card says so"),
  flag("--capabilities <json>", "what it can do, as a JSON list: skills in its A2A card"),
  flag("--replace", "replace an agent of that name"),
  jsonFlag("the agent"),
  ...HUB_FLAGS,
] as const;
export type AddAgentFlags = FlagsOf<typeof ADD_AGENT_FLAGS>;

export const REMOVE_AGENT_FLAGS = [jsonFlag("{name, removed}"), ...HUB_FLAGS] as const;
export type RemoveAgentFlags = FlagsOf<typeof REMOVE_AGENT_FLAGS>;
