// What a run used. Names are those of document 000, "ATP Response".
import type { JsonObject } from "./json.ts";

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
