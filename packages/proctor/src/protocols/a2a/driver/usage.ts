// What a task says it used. A2A has no word for it: these are the fields that agents put into `metadata`, their own or below `usage`.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { isAmount, METRIC_NAMES, type Metrics } from "../../../core/metrics.ts";

const SPELLINGS: Readonly<Record<string, keyof Metrics>> = {
  prompt_tokens: "input_tokens",
  completion_tokens: "output_tokens",
  inputTokens: "input_tokens",
  outputTokens: "output_tokens",
  totalTokens: "total_tokens",
  promptTokenCount: "input_tokens",
  candidatesTokenCount: "output_tokens",
  totalTokenCount: "total_tokens",
  costUsd: "cost_usd",
};

/** Returns nothing where the metadata say nothing. */
export function metricsIn(metadata: Json | undefined): Metrics {
  if (!isJsonObject(metadata)) return {};
  const places = [metadata, metadata["usage"], metadata["token_usage"], metadata["metrics"]];
  const found: Metrics = {};
  for (const place of places) if (isJsonObject(place)) Object.assign(found, amountsIn(place));
  return found;
}

function amountsIn(place: JsonObject): Metrics {
  const found: Metrics = {};
  for (const [name, value] of Object.entries(place)) {
    const metric = METRIC_NAMES.find((known) => known === name) ?? SPELLINGS[name];
    if (metric !== undefined && isAmount(value)) found[metric] = value;
  }
  return found;
}
