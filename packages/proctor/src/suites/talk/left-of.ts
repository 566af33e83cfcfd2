// The limits of a test hold for its whole conversation: each turn gets what the turns before it left.
import { failure } from "../../core/failure.ts";
import { possibleMetrics, tokensOf, type Metrics } from "../../core/metrics.ts";
import type { Constraints } from "../../core/task.ts";
import type { Stop } from "./user-side.ts";

/** What one turn used. */
export interface TurnUse {
  metrics: Metrics;
  /** How long the agent worked, without the time in which it waited for an answer. */
  workedMs: number;
}

/** The constraints for the next turn, or the limit that is used up. */
export function leftOf(limits: Constraints, turns: readonly TurnUse[]): Constraints | Stop {
  const { timeout_seconds: seconds, max_tokens: tokens, max_steps: steps, budget_usd: budget } = limits;
  const metrics = sumMetrics(turns.map((turn) => turn.metrics));
  const worked = turns.reduce((sum, { workedMs }) => sum + workedMs, 0) / 1000;
  const left = {
    timeout_seconds: seconds == null ? undefined : seconds - worked,
    max_tokens: tokens == null ? undefined : tokens - (tokensOf(metrics) ?? 0),
    max_steps: steps == null ? undefined : steps - (metrics.total_steps ?? 0),
    budget_usd: budget == null ? undefined : budget - (metrics.cost_usd ?? 0),
  };
  const rest: Constraints = { ...limits };
  for (const [name, amount] of Object.entries(left)) {
    if (amount === undefined || turns.length === 0) continue;
    if (amount <= 0) return usedUp(name, Number(limits[name]), turns.length);
    Object.assign(rest, { [name]: name === "timeout_seconds" ? Math.ceil(amount) : amount });
  }
  return rest;
}

function usedUp(name: string, limit: number, turns: number): Stop {
  const code = name === "timeout_seconds" ? "TIMEOUT" : "BUDGET_EXCEEDED";
  const message = `the conversation used up its ${name} (${limit}) in ${turns} ${turns === 1 ? "turn" : "turns"}`;
  return {
    kind: "stop",
    ended: "limit",
    outcome: "fail",
    reason: `${code}: ${message}`,
    failure: failure(code, message),
  };
}

/** A metric that some turns did not report is the sum over the others. */
export function sumMetrics(all: readonly Metrics[]): Metrics {
  const sum: Metrics = {};
  for (const metrics of all) {
    for (const [name, value] of Object.entries(possibleMetrics(metrics))) {
      if (typeof value !== "number") continue;
      const before = sum[name];
      sum[name] = (typeof before === "number" ? before : 0) + value;
    }
  }
  return sum;
}
