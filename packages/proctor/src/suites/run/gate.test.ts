import { describe, expect, test } from "vitest";
import { createPlan } from "../plan.ts";
import type { GateRule } from "../statistics/sequential.ts";
import { hubDouble } from "../../../test/support/run/hub-double.ts";
import { one, play, suite } from "../../../test/support/run/suite.ts";

const rule = (rest: Partial<GateRule> = {}): GateRule => ({
  at_least: 0.9,
  confidence: 0.95,
  max_runs: 100,
  sequential: true,
  ...rest,
});
const gated = (rest: Partial<GateRule> = {}) => createPlan([suite(one("t", { gate: rule(rest) }))]);
const failed = { status: "failed", failure: { code: "X", message: "no" } } as const;

describe("a case with a pass_rate", () => {
  test("stops as soon as its runs prove it, and says so", async () => {
    const hub = hubDouble(() => ({}));
    const { results, summary } = await play(gated(), hub, { concurrency: 1 });

    expect(results[0]).toMatchObject({ outcome: "pass", gate: { decision: "pass", at_least: 0.9 } });
    expect(hub.requests.length).toBeGreaterThanOrEqual(29);
    expect(hub.requests.length).toBeLessThan(100);
    expect(results[0]?.gate).toMatchObject({ runs: hub.requests.length, passed: hub.requests.length });
    expect(results[0]?.gate?.message).toMatch(/runs passed: meets at least 90 % at 95 % confidence$/);
    expect(summary.runs.total).toBe(hub.requests.length);
  });

  test("makes no run that turns out not to have been needed, however many may be in flight", async () => {
    const alone = hubDouble(() => ({}));
    await play(gated(), alone, { concurrency: 1 });
    const together = hubDouble(() => ({}));
    await play(gated(), together, { concurrency: 50 });

    expect(together.requests).toHaveLength(alone.requests.length);
    expect(together.most).toBeGreaterThan(5);
  });

  test("fails early when it cannot be reached", async () => {
    const hub = hubDouble(() => failed);
    const { results } = await play(gated(), hub);

    expect(results[0]).toMatchObject({ outcome: "fail", gate: { decision: "fail" } });
    expect(hub.requests.length).toBeLessThan(10);
  });

  test("is inconclusive when the runs end before it is decided, and says how many are missing", async () => {
    const { results } = await play(
      gated({ max_runs: 5 }),
      hubDouble(() => ({})),
    );

    expect(results[0]).toMatchObject({ outcome: "unevaluated", gate: { decision: "inconclusive", runs: 5 } });
    expect(results[0]?.gate?.message).toMatch(/inconclusive for .*, needs about \d+ more runs$/);
  });

  test("is not proven by leaving out what could not be evaluated", async () => {
    const stopped = { status: "cancelled", failure: { code: "CANCELLED", message: "" } } as const;
    const hub = hubDouble((_, index) => (index === 3 ? stopped : {}));
    const { results } = await play(gated({ max_runs: 60 }), hub);

    expect(results[0]).toMatchObject({
      outcome: "unevaluated",
      gate: { decision: "inconclusive", runs: 60 },
    });
    expect(results[0]?.gate?.message).toContain("1 could not be evaluated");
  });

  test("looks at runs as they were started: failures that are quicker do not decide", async () => {
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    // The first is slow; all after it fail at once.
    const hub = hubDouble((_, index) => (index === 0 ? { until: slow } : failed));
    const running = play(gated({ max_runs: 20 }), hub, { concurrency: 4 });
    await expect.poll(() => hub.requests.length).toBeGreaterThan(1);
    const before = hub.requests.length;
    expect(before).toBeLessThan(20);
    release();
    const { results } = await running;

    expect(results[0]?.gate).toMatchObject({ decision: "fail" });
    expect(results[0]?.attempts[0]).toMatchObject({ number: 1, outcome: "pass" });
  });

  test("looks once, at the end, when it is not sequential", async () => {
    const hub = hubDouble(() => ({}));
    const { results } = await play(gated({ sequential: false, max_runs: 29 }), hub);

    expect(hub.requests).toHaveLength(29);
    expect(results[0]).toMatchObject({ outcome: "pass", gate: { decision: "pass", runs: 29 } });
  });
});

test("--runs limits the runs of a pass_rate", async () => {
  const hub = hubDouble(() => ({}));
  await play(createPlan([suite(one("t", { gate: rule() }))], { runs: 3 }), hub);

  expect(hub.requests).toHaveLength(3);
});
