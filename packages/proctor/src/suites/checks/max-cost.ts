// Passes when the run cost no more than this, in US dollars.
import { metricLimit } from "./metric-limit.ts";

export const maxCost = metricLimit(
  "max_cost",
  "cost_usd",
  ({ cost_usd }) => cost_usd,
  (cost) => `${cost} USD`,
);
