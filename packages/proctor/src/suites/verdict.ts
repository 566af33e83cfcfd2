// The outcome of one check. What could not be evaluated is never a pass.
import type { JsonObject } from "../core/json.ts";
import type { Outcome } from "../core/outcome.ts";

export type { Outcome } from "../core/outcome.ts";

export interface Verdict {
  outcome: Outcome;
  message: string;
  /** The score from 0 to 1, where there is more to say than pass (1) or fail (0). */
  score?: number;
  /** A finding that decides nothing. Reports show it, even where the check passes. */
  warning?: string;
  /** Details for reports. `expected` and `actual`, where given, are shown as a difference. */
  details?: JsonObject;
}

function verdict(outcome: Outcome, message: string, details?: JsonObject): Verdict {
  return details === undefined ? { outcome, message } : { outcome, message, details };
}

export const pass = (message: string, details?: JsonObject): Verdict => verdict("pass", message, details);
export const fail = (message: string, details?: JsonObject): Verdict => verdict("fail", message, details);
export const unevaluated = (message: string, details?: JsonObject): Verdict =>
  verdict("unevaluated", message, details);

/** One fail fails all; otherwise one unevaluated makes all unevaluated. An empty list passes. */
export function combineOutcomes(outcomes: Iterable<Outcome>): Outcome {
  const all = new Set(outcomes);
  if (all.has("fail")) return "fail";
  return all.has("unevaluated") ? "unevaluated" : "pass";
}
