// Tools that are written as scripts and run in a sandbox: document 004, section 5.
import type { EnvironmentKind } from "./environment.ts";
import type { Json, JsonObject } from "./json.ts";

/** `javascript` runs in this process, without a machine around it; the others are programs in an environment. */
export const SCRIPT_LANGUAGES = ["javascript", "node", "python", "shell"] as const;
export type ScriptLanguage = (typeof SCRIPT_LANGUAGES)[number];

export interface ScriptLimits {
  /** CPU milliseconds of `javascript`, milliseconds of a program. */
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
}

export interface ScriptTool extends NewScriptTool {
  /** sha256 of the source. */
  sha256: string;
  created_at: string;
  updated_at: string;
}

/** A script that fails is an answer, not an error. */
export type ScriptResult =
  | { ok: true; output: Json; duration_ms: number; log: string[] }
  | {
      ok: false;
      /** `INVALID_INPUT`, `INVALID_OUTPUT`, `SCRIPT_FAILED`, `TOO_SLOW`, `TOO_MUCH_MEMORY`, `TOO_MUCH_OUTPUT`. */
      code: string;
      message: string;
      duration_ms: number;
      log: string[];
    };
