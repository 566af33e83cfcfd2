// What the tools of a run do when its agent calls them: document 000, "Tool Protocol". Written in YAML by people, carried
// by a run, served by doubles/tools.
import type { EnvironmentKind, NetworkMode } from "./environment.ts";
import type { Json, JsonObject } from "./json.ts";

export interface ToolSet extends JsonObject {
  /** The name that reports show. */
  name?: string;
  description?: string;
  /** Delay of answers that name none. */
  default_delay_ms?: number;
  tools: ToolDefinition[];
  /** MCP servers whose tools are offered under their own names, beside those listed. */
  mcp?: McpServer[];
  /** Where the programs of MCP servers live, each in one of its own; on the hub's machine itself when absent. */
  environment?: ToolEnvironment;
}

/** `local` is the hub's machine itself. */
export interface ToolEnvironment extends JsonObject {
  kind: EnvironmentKind;
  /** `none` unless said. */
  network?: NetworkMode;
  /** The hosts that `allow-list` permits. */
  allow_hosts?: string[];
}

/** One tool. It has exactly one of: `responses`/`default` (mock), `forward`, `record`, `replay`. */
export interface ToolDefinition extends JsonObject {
  name: string;
  description?: string;
  /** Tried in order; the first that matches answers. */
  responses?: MockRule[];
  /** When none matches. Without it such a call is an error. */
  default?: MockAnswer;
  /** Passed on to a real tool that speaks the same protocol. */
  forward?: ForwardTarget;
  /** Passed on, and every call and answer is written to `file`. */
  record?: ForwardTarget & { file: string };
  /** Answered from such a file; a call that is not in it fails, with what was expected. */
  replay?: { file: string };
}

export interface MockRule extends JsonObject {
  /** Absent: any call. */
  when?: Matcher;
  /** A list answers one after the other; its last entry is repeated. */
  then: MockAnswer | MockAnswer[];
}

export interface Matcher extends JsonObject {
  type: "exact" | "contains" | "regex" | "json_path" | "any";
  /** Dotted path into the input; the whole input when absent. For `json_path` the path itself. */
  field?: string;
  /** Text to find, a regular expression, or with `exact` and `json_path` any JSON value. */
  pattern?: Json;
}

export interface MockAnswer extends JsonObject {
  output?: Json;
  error?: string;
  error_code?: string;
  /** `success` unless there is an error. */
  status?: string;
  delay_ms?: number;
  /** Status of the HTTP answer, to play a broken tool. */
  http_status?: number;
}

export interface ForwardTarget extends JsonObject {
  url: string;
  headers?: Record<string, string>;
  timeout_ms?: number;
}

export interface McpServer extends JsonObject {
  /** Started once per run; `url` for a server that runs already (streamable HTTP). */
  command?: string[];
  url?: string;
  env?: Record<string, string>;
  headers?: Record<string, string>;
  /** The directory that the program is started in. */
  cwd?: string;
  /** Limit of its start and of each call. */
  timeout_ms?: number;
  /** Only these of its tools. */
  tools?: string[];
}

/** A call as the platform saw it, which is what happened, whatever the agent says. */
export interface ObservedCall extends JsonObject {
  tool: string;
  input: Json;
  /** `success`, `error`, or what a mock says. */
  status: string;
  output?: Json;
  error?: string;
  error_code?: string;
  error_details?: Json;
  /** The HTTP status of the answer, when it was not 200. */
  http_status?: number;
  /** The call named another task; it was answered all the same. */
  task_id_mismatch?: boolean;
  duration_ms: number;
  mode: "mock" | "forward" | "record" | "replay" | "mcp" | "none";
  /** The extension `call_id`, when the agent sent one. */
  call_id?: string;
}
