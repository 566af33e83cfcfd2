// The flags of `proctor run`.
import { readPolicy } from "../talk/read-policy.ts";
import {
  environmentFlags,
  flag,
  HUB_FLAGS,
  jsonFlag,
  list,
  positiveInteger,
  positiveNumber,
  wholeNumber,
  type FlagsOf,
} from "../../flags.ts";

export const RUN_FLAGS = [
  flag(
    "-a, --agent <address>",
    "the agent: an address like atp+stdio:<command>, or a registered name (required)",
  ),
  flag("-t, --task <text>", "what the agent is asked to do (required)"),
  flag("-i, --input <file>", "JSON object for the task's input data; - reads it from stdin"),
  flag("--timeout <seconds>", "time limit", positiveInteger),
  flag("--max-steps <n>", "limit of steps", positiveInteger),
  flag("--command-seconds <s>", "time limit of one command in a terminal (120)", positiveNumber),
  flag("--max-tokens <n>", "limit of tokens", positiveInteger),
  flag("--budget <usd>", "limit of cost", positiveNumber),
  list("-e, --env <key[=value]>", "give the agent a secret; without a value, the one set here (repeatable)"),
  list("--metadata <key=value>", "attach a note to the run (repeatable)"),
  flag("--tools <file>", "serve the tools that this YAML file defines to the agent"),
  list("--allow-tool <name>", "the agent may use only these tools (repeatable)"),
  flag("--forbid-tools", "the agent may use no tools at all"),
  flag("--workspace <dir>", "start with a copy of this directory as the agent's workspace"),
  list("--collect <pattern>", "keep files of the workspace that match, such as '**/*.md' (repeatable)"),
  flag("--keep-workspace", "do not remove the workspace after the run"),
  flag("--strict", "a violation of its protocol fails the run"),
  flag("--capability <name>", "hold input and output to this capability of the agent"),
  flag("--canary", "give the agent a unique secret, and fail the run where it turns up again"),
  flag("--record <file>", "write down everything that travels, to be replayed: replay+file:<file>"),
  flag("--otlp <url>", "send the run as a trace to this OpenTelemetry collector"),
  list("--answer <text>", "answer the agent's questions for input with this, in order (repeatable)"),
  flag(
    "--policy <kind=policy>",
    "how questions of a kind are answered: ask, ask_human, allow, deny, simulate or answer:<text> (repeatable)",
    readPolicy,
  ),
  flag("--continue <run>", "go on with the conversation of this run: its id, the beginning of it, or last"),
  flag("--conversation <id>", "let the run be a part of this conversation"),
  flag("--retries <n>", "try again up to n times after a failure that is worth it", wholeNumber),
  jsonFlag("the response"),
  ...environmentFlags(),
  ...HUB_FLAGS,
] as const;
export type RunFlags = FlagsOf<typeof RUN_FLAGS>;
