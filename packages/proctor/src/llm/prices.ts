// What a call costs: its tokens times the price of its model.
import { isCount } from "../core/metrics.ts";
import { isJsonObject, type Json } from "../core/json.ts";

/** A model's price in US dollars for a million tokens. */
export interface Price {
  input: number;
  output: number;
}

export type Prices = Readonly<Record<string, Price>>;

export interface Usage {
  inputTokens: number;
  outputTokens: number;
}

const MILLION = 1_000_000;
/** Factor by which costs are rounded, so that sums of fractions show no noise of binary arithmetic. */
const DIGITS = 1e12;

export function costOf({ inputTokens, outputTokens }: Usage, { input, output }: Price): number {
  const usd = (inputTokens * input + outputTokens * output) / MILLION;
  return Math.round(usd * DIGITS) / DIGITS;
}

export function priceOf(prices: Prices, model: string): Price | undefined {
  return Object.hasOwn(prices, model) ? prices[model] : undefined;
}

/** Reads the `usage` of an answer; undefined when it does not say both numbers. */
export function readUsage(usage: Json | undefined): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage;
  return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : undefined;
}
