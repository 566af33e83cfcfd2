// Passes when the run took no more steps than this.
import { metricLimit } from "./metric-limit.ts";
import { count } from "../texts/words.ts";

export const maxSteps = metricLimit(
  "max_steps",
  "total_steps",
  ({ total_steps }) => total_steps,
  (steps) => count(steps, "step"),
);
