// Counts the calls of the model, their tokens and their cost. The hub counts too, and its count is the one that is billed.
import type { LLMResponse } from "./completion.ts";

export interface ModelStats {
  requests: number;
  tokens: number;
  inputTokens: number;
  outputTokens: number;
  cost: number;
}

export interface LLMStats {
  requestCount: number;
  errorCount: number;
  retryCount: number;
  totalTokens: number;
  inputTokens: number;
  outputTokens: number;
  totalCost: number;
  perModel: Record<string, ModelStats>;
}

export interface Counter {
  errors: number;
  retries: number;
  count: (model: string, response: LLMResponse) => void;
  of: (model: string) => ModelStats;
  all: () => LLMStats;
}

const NONE: ModelStats = { requests: 0, tokens: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

export function createCounter(): Counter {
  const models = new Map<string, ModelStats>();
  const total = (name: keyof ModelStats): number =>
    [...models.values()].reduce((sum, counted) => sum + counted[name], 0);
  const counter: Counter = {
    errors: 0,
    retries: 0,
    count(model, { tokens, inputTokens, outputTokens, cost }) {
      const before = models.get(model) ?? NONE;
      models.set(model, {
        requests: before.requests + 1,
        tokens: before.tokens + tokens,
        inputTokens: before.inputTokens + inputTokens,
        outputTokens: before.outputTokens + outputTokens,
        cost: before.cost + cost,
      });
    },
    of: (model) => ({ ...(models.get(model) ?? NONE) }),
    all: () => ({
      requestCount: total("requests"),
      errorCount: counter.errors,
      retryCount: counter.retries,
      totalTokens: total("tokens"),
      inputTokens: total("inputTokens"),
      outputTokens: total("outputTokens"),
      totalCost: total("cost"),
      perModel: Object.fromEntries([...models].map(([model, counted]) => [model, { ...counted }])),
    }),
  };
  return counter;
}
