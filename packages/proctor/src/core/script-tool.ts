// Tools that are written as scripts and run in a sandbox: document 004, section 5.
import type { EnvironmentKind } from "./environment.ts";
import type { Json, JsonObject } from "./json.ts";

/** `javascript` runs in this process, without a machine around it; the others are programs in an environment. */
export const SCRIPT_LANGUAGES = ["javascript", "node", "python", "shell"] as const;
export type ScriptLanguage = (typeof SCRIPT_LANGUAGES)[number];

/** Pattern of names, which stand in URLs and are names in MCP. */
export const SCRIPT_TOOL_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export interface ScriptLimits {
  /** Time limit: CPU milliseconds of `javascript`, milliseconds of a program. */
  time_ms?: number;
  memory_mb?: number;
  output_bytes?: number;
}

export interface NewScriptTool {
  name: string;
  description?: string;
  version?: string;
  language: ScriptLanguage;
  source: string;
  /** JSON Schema of the input; input is checked before the script sees it. */
  parameters: JsonObject;
  /** JSON Schema of the output; an output that does not fit is an error. */
  returns?: JsonObject;
  limits?: ScriptLimits;
  /** Where a program runs; the best that this machine has when absent, never `local`. */
  environment?: EnvironmentKind;
  /** The container image that a program runs in; it implies the environment `container`. */
  image?: string;
}

export interface ScriptTool extends NewScriptTool {
  /** sha256 of the source. */
  sha256: string;
  created_at: string;
  updated_at: string;
}

/** Failures of a call, each with its meaning. */
export const SCRIPT_FAILURES = {
  INVALID_INPUT: "the input does not fit `parameters`; the script was not started",
  INVALID_OUTPUT: "the output is no JSON, or does not fit `returns`",
  SCRIPT_FAILED: "the script threw something, or its program ended with an exit code that is not 0",
  TOO_SLOW: "the script was stopped at its time limit",
  TOO_MUCH_MEMORY: "the script needed more memory than its limit",
  TOO_MUCH_OUTPUT: "the output is longer than its limit",
} as const;

export type ScriptFailure = keyof typeof SCRIPT_FAILURES;

/** Result of a script: one that fails is an answer, not an error. */
export type ScriptResult =
  | { ok: true; output: Json; duration_ms: number; log: string[] }
  | {
      ok: false;
      code: ScriptFailure;
      message: string;
      duration_ms: number;
      log: string[];
    };
