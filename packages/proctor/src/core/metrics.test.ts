import { expect, test } from "vitest";
import { possibleMetrics } from "./metrics.ts";

test("possibleMetrics leaves out impossible values and keeps the others", () => {
  const good = { cost_usd: 0, total_tokens: 3, custom: -1, nested: { cost_usd: -1 } };
  expect(possibleMetrics(good)).toBe(good);
  const wrong = { cost_usd: -5, total_tokens: Infinity, total_steps: NaN, llm_calls: 2, custom: -1 };
  expect(possibleMetrics(wrong)).toEqual({ llm_calls: 2, custom: -1 });
  expect(possibleMetrics(JSON.parse('{"cost_usd": "1", "input_tokens": null}'))).toEqual({});
});
