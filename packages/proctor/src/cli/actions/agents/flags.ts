// The flags of `proctor agents`.
import type { AgentState, Stage } from "../../../core/registration.ts";
import {
  choice,
  documentFlags,
  flag,
  HUB_FLAGS,
  list,
  PAGE_FLAGS,
  positiveInteger,
  type FlagsOf,
} from "../../flags.ts";

// Written out, so that a command which needs none of them loads nothing for them.
const STATES = [
  "unknown",
  "online",
  "suspect",
  "offline",
  "draining",
] as const satisfies readonly AgentState[];
const STAGES = ["development", "testing", "production", "retired"] as const satisfies readonly Stage[];

const stage = choice("--stage <stage>", "only agents of this stage", STAGES);
const label = list("--label <key=value>", "only agents with this label (repeatable)");

export const LIST_FLAGS = [
  flag("--capability <name>", "only agents that can do this"),
  choice("--state <state>", "only agents in this state", STATES),
  label,
  stage,
  ...PAGE_FLAGS,
] as const;
export type ListFlags = FlagsOf<typeof LIST_FLAGS>;

export const SEARCH_FLAGS = [
  flag("--input <json>", "only agents that take this input"),
  flag("--range <range>", "only versions in this range: ^1.2.0"),
  label,
  stage,
  flag("--limit <n>", "at most n agents", positiveInteger),
  ...documentFlags("{matches, total, rejected}"),
] as const;
export type SearchFlags = FlagsOf<typeof SEARCH_FLAGS>;

export const WATCH_FLAGS = [flag("--json", "print one change per line as JSON"), ...HUB_FLAGS] as const;
export type WatchFlags = FlagsOf<typeof WATCH_FLAGS>;

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
  list("--requires <label>", "a label that a worker must have to carry out its runs (repeatable)"),
  flag("--description <text>", "what it is for; its A2A card says so"),
  flag("--capabilities <json>", "what it can do, as a JSON list: skills in its A2A card"),
  flag("--replace", "replace an agent of that name"),
  ...documentFlags("the agent"),
] as const;
export type AddAgentFlags = FlagsOf<typeof ADD_AGENT_FLAGS>;
