// What a run used. Names are those of document 000, "ATP Response".
import type { JsonObject } from "./json.ts";

/** Those of the document, in its order. */
export const METRIC_NAMES = [
  "total_tokens",
  "input_tokens",
  "output_tokens",
  "total_steps",
  "tool_calls",
  "llm_calls",
  "wall_time_seconds",
  "cost_usd",
] as const;

export interface Metrics extends JsonObject {
  total_tokens?: number;
  input_tokens?: number;
  output_tokens?: number;
  total_steps?: number;
  tool_calls?: number;
  llm_calls?: number;
  wall_time_seconds?: number;
  cost_usd?: number;
  /** Ours: calls that the platform saw at the run's tool endpoint. */
  observed_tool_calls?: number;
}
