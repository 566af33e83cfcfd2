// What a task's steps say they cost, added up. `task_total_cost` and `task_cumulative_cost` are the whole task's until then
// (agbenchmark reads them so), and so is `task_metrics`, which our own server adds to the last step; `cost_usd` and tokens are
// one step's.
import type { AgentEventPayloads } from "../../../core/event.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import { isAmount, METRIC_NAMES, type Metrics } from "../../../core/metrics.ts";

type LlmRequest = AgentEventPayloads["llm_request"];

export interface Usage {
  /** Returns what one step adds as a request to a model; undefined when it reports nothing, or reports its requests one by one. */
  take(additional: JsonObject, requests: readonly LlmRequest[]): LlmRequest | undefined;
  /** Returns the metrics that no event carries. */
  metrics(): Metrics;
}

export function createUsage(): Usage {
  let taskCost: number | undefined;
  let countedTokens = 0;
  let otherTokens = 0;
  let whole: Metrics = {};

  function takeCost(additional: JsonObject): number {
    const total = amountIn(additional, "task_total_cost", "task_cumulative_cost");
    if (total === undefined) return amountIn(additional, "cost_usd") ?? 0;
    const before = taskCost ?? 0;
    taskCost = Math.max(before, total);
    return taskCost - before;
  }

  function count({ input_tokens = 0, output_tokens = 0 }: LlmRequest): void {
    countedTokens += input_tokens + output_tokens;
  }

  return {
    take(additional, requests) {
      const cost = takeCost(additional);
      if (isJsonObject(additional["task_metrics"])) whole = metricsIn(additional["task_metrics"]);
      if (requests.length > 0) {
        requests.forEach(count);
        return undefined;
      }
      const said = isJsonObject(additional["usage"]) ? additional["usage"] : additional;
      const input = amountIn(said, "input_tokens", "prompt_tokens");
      const output = amountIn(said, "output_tokens", "completion_tokens");
      const split = input !== undefined || output !== undefined;
      if (!split) otherTokens += amountIn(said, "total_tokens", "tokens") ?? 0;
      if (!split && cost === 0) return undefined;
      const model = additional["model"];
      const use: LlmRequest = {
        ...(typeof model === "string" && { model }),
        ...(input !== undefined && { input_tokens: input }),
        ...(output !== undefined && { output_tokens: output }),
        ...(cost > 0 && { cost_usd: cost }),
      };
      count(use);
      return use;
    },
    metrics: () => ({
      ...(taskCost !== undefined && { cost_usd: taskCost }),
      ...(otherTokens > 0 && { total_tokens: countedTokens + otherTokens }),
      ...whole,
    }),
  };
}

function metricsIn(said: JsonObject): Metrics {
  const known = METRIC_NAMES.map((name) => [name, amountIn(said, name)] as const);
  return Object.fromEntries(known.filter(([, value]) => value !== undefined));
}

/** Returns the first of these fields that is an amount. */
function amountIn(said: JsonObject, ...names: string[]): number | undefined {
  for (const name of names) {
    const value = said[name];
    if (isAmount(value)) return value;
  }
  return undefined;
}
