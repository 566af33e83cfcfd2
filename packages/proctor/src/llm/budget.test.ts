import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBudget } from "./budget.ts";
import {
  completion,
  errorOf,
  gate,
  HELLO,
  post,
  sendJson,
  sendStream,
  startBoth,
  type Answered,
  type Play,
} from "../../test/support/llm/model-host-harness.ts";
import { propertyRuns } from "../../test/support/property-runs.ts";

/** With USAGE at the price of "real": 100 × 1 + 50 × 2 for a million. */
const CALL_USD = 0.0002;
const answer: Play = (outgoing) => sendJson(outgoing, completion("Hi."));
const statuses = (answers: readonly Answered[]): number[] => answers.map(({ status }) => status);

describe("the budget of a run", () => {
  test("is checked before each call: exactly spent is spent", async () => {
    const { endpoint, calls, model } = await startBoth(answer, {}, { budgetUsd: CALL_USD * 3 });
    for (let count = 0; count < 3; count++) expect((await post(endpoint)).status).toBe(200);
    const refused = await post(endpoint);
    expect(refused.status).toBe(402);
    expect(errorOf(refused)).toEqual({
      message: "the budget of this run is spent: 0.0006 of 0.0006 US dollars",
      type: "insufficient_quota",
      param: null,
      code: "budget_exceeded",
    });
    expect(model.asked).toHaveLength(3);
    expect(calls.map(({ status, cost_usd }) => [status, cost_usd])).toEqual([
      [200, CALL_USD],
      [200, CALL_USD],
      [200, CALL_USD],
      [402, undefined],
    ]);
  });

  test("lets the call through that passes it, and none after that", async () => {
    const { endpoint } = await startBoth(answer, {}, { budgetUsd: CALL_USD * 1.5 });
    expect([
      (await post(endpoint)).status,
      (await post(endpoint)).status,
      (await post(endpoint)).status,
    ]).toEqual([200, 200, 402]);
  });

  test("counts streams", async () => {
    const { endpoint } = await startBoth(sendStream, {}, { budgetUsd: CALL_USD });
    const body = { ...HELLO, stream: true };
    expect([(await post(endpoint, body)).status, (await post(endpoint, body)).status]).toEqual([200, 402]);
  });

  test("of zero allows no call", async () => {
    const { endpoint, model } = await startBoth(answer, {}, { budgetUsd: 0 });
    expect((await post(endpoint)).status).toBe(402);
    expect(model.asked).toEqual([]);
  });

  test("cannot be overspent by 20 calls at once", async () => {
    const { endpoint, model, calls } = await startBoth(
      answer,
      { limits: { calls: 20 } },
      { budgetUsd: CALL_USD * 5 },
    );
    // Each reserves about as much as three of them cost.
    const body = { ...HELLO, max_tokens: 300 };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(endpoint, body)));
    expect(statuses(answers).filter((status) => status === 200)).toHaveLength(5);
    expect(statuses(answers).filter((status) => status === 402)).toHaveLength(15);
    expect(model.asked).toHaveLength(5);
    expect(calls).toHaveLength(20);
  });

  test("gives back what a call reserved that the model refused", async () => {
    const { endpoint, calls } = await startBoth(
      (outgoing) => sendJson(outgoing, { error: { message: "overloaded" } }, 503),
      {},
      { budgetUsd: 0.000001 },
    );
    for (let count = 0; count < 3; count++) expect((await post(endpoint)).status).toBe(503);
    expect(calls.every((call) => !("cost_usd" in call) && !("estimated_cost_usd" in call))).toBe(true);
  });

  test("charges what was reserved when the agent leaves before the model says what it used", async () => {
    const { endpoint, model, calls } = await startBoth(() => {}, {}, { budgetUsd: 0.001 });
    const leave = new AbortController();
    const asking = post(endpoint, HELLO, { signal: leave.signal });
    await expect.poll(() => model.asked.length).toBe(1);
    leave.abort();
    await expect(asking).rejects.toThrow();
    await expect.poll(() => calls.length).toBe(1);
    expect(calls[0]).toMatchObject({ status: 499, note: expect.stringContaining("not known") as string });
    // 4096 tokens at 2 dollars a million, and a few for the question.
    expect(calls[0]?.["estimated_cost_usd"]).toBeGreaterThan(0.008);
    expect(calls[0]).not.toHaveProperty("cost_usd");
    expect((await post(endpoint)).status).toBe(402);
  });

  test("charges what was reserved when the model does not say what it used", async () => {
    const { endpoint, calls } = await startBoth(
      (outgoing) => sendJson(outgoing, { ...completion("Hi."), usage: { prompt_tokens: -1 } }),
      {},
      { budgetUsd: 0.001 },
    );
    expect([(await post(endpoint)).status, (await post(endpoint)).status]).toEqual([200, 402]);
    expect(calls[0]?.["note"]).toMatch(/did not say how many tokens/);
  });

  test("cannot be tricked by what a request says of its own size", async () => {
    for (const max_tokens of [-1e12, 0, null, "many", Number.MIN_VALUE]) {
      const { endpoint, model, calls } = await startBoth(() => {}, {}, { budgetUsd: 0.001 });
      const leave = new AbortController();
      const asking = post(endpoint, { ...HELLO, max_tokens }, { signal: leave.signal });
      await expect.poll(() => model.asked.length).toBe(1);
      leave.abort();
      await asking.catch(() => {});
      await expect.poll(() => calls.length).toBe(1);
      expect(calls[0]?.["estimated_cost_usd"]).toBeGreaterThan(0);
    }
  });

  test("needs a price: without one it is refused, and says what to do", async () => {
    const { endpoint, model } = await startBoth(answer, { prices: {} }, { budgetUsd: 100 });
    const refused = await post(endpoint);
    expect(refused.status).toBe(402);
    expect(errorOf(refused)).toMatchObject({ code: "price_unknown" });
    expect(errorOf(refused).message).toMatch(/no price of the model "real": add it to llm_prices/);
    expect(model.asked).toEqual([]);
  });

  test("is not needed where nobody knows the price: the cost is left out, with a note", async () => {
    const { endpoint, calls } = await startBoth(answer, { prices: {} });
    expect((await post(endpoint)).status).toBe(200);
    expect(calls[0]).toMatchObject({
      input_tokens: 100,
      output_tokens: 50,
      note: "the cost is not known: the hub knows no price of this model",
    });
    expect(calls[0]).not.toHaveProperty("cost_usd");
  });
});

test("a run has at most 16 calls under way", async () => {
  const all = gate();
  const { endpoint, model, open } = await startBoth(async (outgoing) => {
    await all.opened;
    sendJson(outgoing, completion("Hi."));
  });
  const asking = Array.from({ length: 20 }, () => post(endpoint));
  await expect.poll(() => model.asked.length).toBe(16);
  const refused = await Promise.any(asking);
  expect(refused).toMatchObject({ status: 429 });
  expect(errorOf(refused).code).toBe("too_many_calls");
  expect(refused.headers.get("retry-after")).toBe("1");
  // Another run is not concerned.
  const other = await open({ runId: "01890000-0000-7000-8000-000000000002", key: "other" });
  const others = post(other, HELLO, { key: "other" });
  await expect.poll(() => model.asked.length).toBe(17);
  all.open();
  expect((await others).status).toBe(200);
  const answers = statuses(await Promise.all(asking));
  expect([200, 429].map((status) => answers.filter((one) => one === status).length)).toEqual([16, 4]);
  expect((await post(endpoint)).status).toBe(200);
});

test("however calls come and go, no call begins on a spent budget, and all come to an end", async () => {
  const calls = fc.array(
    fc.record({ estimate: fc.integer({ min: 0, max: 50 }), cost: fc.integer({ min: 0, max: 50 }) }),
    {
      maxLength: 30,
    },
  );
  await fc.assert(
    fc.asyncProperty(calls, fc.integer({ min: 0, max: 100 }), async (plan, limit) => {
      const budget = createBudget(limit);
      let spent = 0;
      const { signal } = new AbortController();
      const results = await Promise.allSettled(
        plan.map(async ({ estimate, cost }) => {
          const reservation = await budget.reserve(estimate, signal);
          if (estimate > 0) expect(spent).toBeLessThan(limit);
          await Promise.resolve();
          spent += cost;
          reservation.settle(cost);
          reservation.settle(cost);
        }),
      );
      for (const result of results) {
        if (result.status === "rejected") expect(result.reason).toMatchObject({ status: 402 });
      }
    }),
    { numRuns: propertyRuns(200) },
  );
});

test("a call that finds the rest of the budget reserved waits until its cost is known", async () => {
  const budget = createBudget(10);
  const { signal } = new AbortController();
  const first = await budget.reserve(10, signal);
  let isWaiting = true;
  const second = budget.reserve(1, signal).finally(() => (isWaiting = false));
  const free = await budget.reserve(0, signal);
  free.settle(0);
  await new Promise(setImmediate);
  expect(isWaiting).toBe(true);
  first.settle(9);
  (await second).settle(1);
  await expect(budget.reserve(1, signal)).rejects.toMatchObject({ status: 402 });
});

test("a call that waits for the budget is let go when its agent leaves", async () => {
  const budget = createBudget(1);
  const leave = new AbortController();
  await budget.reserve(1, leave.signal);
  const waiting = budget.reserve(1, leave.signal);
  leave.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
});
