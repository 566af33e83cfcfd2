// Passes when the run used no more tokens than this.
import { tokensOf } from "../../core/metrics.ts";
import { metricLimit } from "./metric-limit.ts";
import { count } from "../texts/words.ts";

export const maxTokens = metricLimit("max_tokens", "total_tokens", tokensOf, (tokens) =>
  count(tokens, "token"),
);
