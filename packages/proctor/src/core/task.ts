// What is asked of an agent: the task, its limits and the surroundings it may use.
// Shapes and names are those of document 000, "ATP Request"; every protocol translates to and from them.
import type { JsonObject } from "./json.ts";

export interface Task extends JsonObject {
  description: string;
  input_data?: JsonObject;
  expected_artifacts?: ExpectedArtifact[];
}

export interface ExpectedArtifact extends JsonObject {
  type?: "file" | "structured";
  format?: string;
  name?: string;
}

/** Limits of the task. Absent means unlimited, except the timeout, which has a default. `allowed_tools: []` allows none. */
export interface Constraints extends JsonObject {
  max_steps?: number;
  max_tokens?: number;
  timeout_seconds?: number;
  allowed_tools?: string[] | null;
  budget_usd?: number;
}

/** Context of the task. Every value of `environment` is a secret: see redact.ts. */
export interface Context extends JsonObject {
  tools_endpoint?: string;
  workspace_path?: string;
  environment?: Record<string, string>;
}

/** When another attempt is made, as a new run, after a run ends without success. */
export interface RetryPolicy extends JsonObject {
  max_attempts: number;
  initial_delay_ms?: number;
  max_delay_ms?: number;
  multiplier?: number;
  /** Failure codes worth another attempt; when absent, those that the catalogue calls retryable. */
  on?: string[];
}

export const DEFAULT_TIMEOUT_SECONDS = 300;
/** Longer than an agent may think about one step in a terminal, so that this limit fires before the whole time is over. */
const DEFAULT_TERMINAL_TIMEOUT_SECONDS = 900;
export const MAX_TIMEOUT_SECONDS = 86_400;
export const MAX_STEPS = 1000;
export const MAX_TOKENS = 10_000_000;
export const MAX_DESCRIPTION_CHARS = 10_000;

export function timeoutMs(constraints: Constraints, hasTerminal = false): number {
  const usual = hasTerminal ? DEFAULT_TERMINAL_TIMEOUT_SECONDS : DEFAULT_TIMEOUT_SECONDS;
  return (constraints.timeout_seconds ?? usual) * 1000;
}
