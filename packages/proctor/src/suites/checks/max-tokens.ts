// Passes when the run used no more tokens than this.
import type { Metrics } from "../../core/metrics.ts";
import { metricLimit } from "./metric-limit.ts";
import { count } from "./words.ts";

export const maxTokens = metricLimit("max_tokens", "total_tokens", tokensIn, (tokens) =>
  count(tokens, "token"),
);

/** An agent may give only the parts. */
function tokensIn({
  total_tokens: total,
  input_tokens: input,
  output_tokens: output,
}: Metrics): number | undefined {
  if (total !== undefined || (input === undefined && output === undefined)) return total;
  return (input ?? 0) + (output ?? 0);
}
