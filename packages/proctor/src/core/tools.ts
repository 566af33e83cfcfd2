// What the tools of a run do when its agent calls them: document 000, "Tool Protocol". Written in YAML by people, carried
// by a run, served by doubles/tools.
import type { EnvironmentKind, NetworkMode } from "./environment.ts";
import type { Json, JsonObject } from "./json.ts";

export interface ToolSet extends JsonObject {
  /** Name that reports show. */
  name?: string;
  description?: string;
  /** The delay of answers that have none of their own, in milliseconds. */
  default_delay_ms?: number;
  tools: ToolDefinition[];
  /** MCP servers whose tools are offered under their own names, in addition to `tools`. */
  mcp?: McpServer[];
  /** Names of script tools of the hub that are offered, in addition to `tools`. */
  scripts?: string[];
  /** The environment of each MCP server's program; the hub's machine itself when absent. */
  environment?: ToolEnvironment;
}

/** The environment of a program; `local` is the hub's machine itself. */
export interface ToolEnvironment extends JsonObject {
  kind: EnvironmentKind;
  /** The network of the program; `none` when absent. */
  network?: NetworkMode;
  /** The hosts that `allow-list` permits. */
  allow_hosts?: string[];
}

/** One tool. It has exactly one of: `responses`/`default` (mock), `forward`, `record`, `replay`. */
export interface ToolDefinition extends JsonObject {
  name: string;
  description?: string;
  /** The rules, tried in order; the first that matches answers. */
  responses?: MockRule[];
  /** The answer when no rule matches. Without it, such a call is an error. */
  default?: MockAnswer;
  /** A real tool that speaks the same protocol, to which calls are passed on. */
  forward?: ForwardTarget;
  /** Like `forward`; every call and answer is also written to `file`. */
  record?: ForwardTarget & { file: string };
  /** A recorded file that answers the calls; a call that is not in it fails and says what was expected. */
  replay?: { file: string };
}

export interface MockRule extends JsonObject {
  /** Conditions on the call; any call when absent. */
  when?: Matcher;
  /** The answer. Each entry of a list answers one call; the last is repeated. */
  then: MockAnswer | MockAnswer[];
}

export interface Matcher extends JsonObject {
  type: "exact" | "contains" | "regex" | "json_path" | "any";
  /** A dotted path into the input, or for `json_path` the path itself; the whole input when absent. */
  field?: string;
  /** A text to find, a regular expression, or with `exact` and `json_path` any JSON value. */
  pattern?: Json;
}

export interface MockAnswer extends JsonObject {
  output?: Json;
  error?: string;
  error_code?: string;
  /** The status of the answer; `success` when absent and there is no error. */
  status?: string;
  delay_ms?: number;
  /** The HTTP status of the answer, to play a broken tool. */
  http_status?: number;
}

export interface ForwardTarget extends JsonObject {
  url: string;
  headers?: Record<string, string>;
  timeout_ms?: number;
}

export interface McpServer extends JsonObject {
  /** A program that is started once per run; `url` is a server that runs already (streamable HTTP). */
  command?: string[];
  url?: string;
  env?: Record<string, string>;
  headers?: Record<string, string>;
  /** The directory that the program is started in. */
  cwd?: string;
  /** Milliseconds that the start and each call may take. */
  timeout_ms?: number;
  /** The names of the tools that are offered; all of them when absent. */
  tools?: string[];
}

/** A call as the platform observed it, which is what happened, whatever the agent reports. */
export interface ObservedCall extends JsonObject {
  tool: string;
  input: Json;
  /** Status of the answer: `success`, `error`, or the one of a mock. */
  status: string;
  output?: Json;
  error?: string;
  error_code?: string;
  error_details?: Json;
  /** The HTTP status of the answer, when it was not 200. */
  http_status?: number;
  /** True when the call named another task; it was answered all the same. */
  task_id_mismatch?: boolean;
  duration_ms: number;
  /** How the call was answered; `lab` is a request to a lab of the run, which is not a call of a tool. */
  mode: "mock" | "forward" | "record" | "replay" | "mcp" | "script" | "lab" | "none";
  /** The extension `call_id`, when the agent sent one. */
  call_id?: string;
}
