import { describe, expect, test } from "vitest";
import { createPlan } from "../plan.ts";
import type { Suite } from "../suite.ts";
import { hubDouble } from "../../../test/support/run/hub-double.ts";
import { check, one, play, suite } from "../../../test/support/run/suite.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => one(`t${index}`));
const failed = { status: "failed", failure: { code: "X", message: "no" } } as const;

describe("a limit of concurrent runs", () => {
  test("holds for one case", async () => {
    const hub = hubDouble(() => ({}));
    await play(createPlan([suite(one("t", { runs: 9, concurrency: 2 }))]), hub, { concurrency: 9 });

    expect(hub.most).toBe(2);
    expect(hub.requests).toHaveLength(9);
  });

  test("holds for one agent while others go on", async () => {
    let release = (): void => undefined;
    const never = new Promise<void>((resolve) => (release = resolve));
    const [slow] = suite().agents;
    const both: Suite = {
      ...suite(...many(4)),
      agents: [
        { ...slow!, name: "slow", concurrency: 1 },
        { ...slow!, name: "quick", command: ["y"] },
      ],
    };
    const ended: string[] = [];
    const hub = hubDouble(({ agent }) =>
      typeof agent === "object" && agent.command?.[0] === "x" ? { until: never } : {},
    );
    const running = play(createPlan([both]), hub, {
      concurrency: 2,
      reporters: [
        {
          start: () => undefined,
          caseEnded: ({ case: { agent } }) => void ended.push(agent.label),
          end: () => undefined,
        },
      ],
    });
    await expect.poll(() => ended).toEqual(["quick", "quick", "quick", "quick"]);
    expect(hub.requests).toHaveLength(5);
    release();
    await running;
    expect(hub.requests).toHaveLength(8);
  });

  test("lets agents take turns in a contest", async () => {
    const [first] = suite().agents;
    const contest = { metrics: ["quality" as const], determineWinner: true, parallel: false };
    const rivals: Suite = {
      ...suite(one("t", { contest, runs: 3 })),
      agents: [first!, { ...first!, name: "b", command: ["y"] }],
    };
    const order: string[] = [];
    const hub = hubDouble(({ agent }) => {
      order.push(typeof agent === "object" ? (agent.command?.[0] ?? "") : "");
      return {};
    });
    await play(createPlan([rivals]), hub, { concurrency: 2 });

    expect(order).toEqual(["x", "x", "x", "y", "y", "y"]);
  });
});

describe("a suite ends early", () => {
  test("at the first case that fails", async () => {
    const hub = hubDouble(({ task }) => (task.description === "t1" ? failed : {}));
    const { summary } = await play(createPlan([suite(...many(5))]), hub, { failFast: true, concurrency: 1 });

    expect(summary).toMatchObject({
      stopped: "fail-fast",
      passed: 1,
      failed: 1,
      total: 5,
      interrupted: false,
    });
    expect(summary.notRun.map(({ test: { id } }) => id)).toEqual(["t2", "t3", "t4"]);
  });

  test("and cancels runs in flight when a case failed", async () => {
    const never = new Promise<void>(() => undefined);
    const hub = hubDouble(({ task }) => (task.description === "t0" ? failed : { until: never }));
    await play(createPlan([suite(...many(3))]), hub, { failFast: true });

    expect(hub.cancelled.toSorted()).toEqual(["run-1", "run-2"]);
  });

  test("at its cost limit, and keeps the runs that were paid for", async () => {
    const hub = hubDouble(() => ({ metrics: { cost_usd: 0.4, total_tokens: 10 } }));
    const { summary } = await play(createPlan([suite(...many(9))]), hub, { maxCostUsd: 1, concurrency: 1 });

    expect(hub.requests).toHaveLength(3);
    expect(summary).toMatchObject({ stopped: "max-cost", passed: 3, total: 9 });
    expect(summary.runs).toMatchObject({ total: 3, total_tokens: 30 });
    expect(summary.runs.cost_usd).toBeCloseTo(1.2);
  });

  test.each([-5, -Infinity, NaN])("even when a run says that it cost %d", async (wrong) => {
    const hub = hubDouble(({ task }) => {
      const cost = task.description === "t0" ? wrong : 0.4;
      return { metrics: { cost_usd: cost, total_tokens: cost } };
    });
    const { summary, results } = await play(createPlan([suite(...many(9))]), hub, {
      maxCostUsd: 1,
      concurrency: 1,
    });

    expect(hub.requests).toHaveLength(4);
    expect(summary).toMatchObject({ stopped: "max-cost" });
    expect(summary.runs.cost_usd).toBeCloseTo(1.2);
    expect(results[0]?.statistics).not.toHaveProperty("cost_usd");
  });

  test("but not when only the last run exceeded the cost limit", async () => {
    const hub = hubDouble(() => ({ metrics: { cost_usd: 5 } }));
    const { summary } = await play(createPlan([suite(one("t"))]), hub, { maxCostUsd: 1 });

    expect(summary.stopped).toBeUndefined();
  });
});

describe("a run passes", () => {
  const mixed = [check("status", { is: "completed" }), check("artifact_exists", { path: "x" })];

  test("when all its checks pass, unless they only inform", async () => {
    const informing = [mixed[0]!, { ...mixed[1]!, weight: 0 }];
    const plan = createPlan([suite(one("all", { checks: mixed }), one("informed", { checks: informing }))]);
    const { results } = await play(
      plan,
      hubDouble(() => ({})),
      { concurrency: 1 },
    );

    expect(results.map(({ outcome }) => outcome)).toEqual(["fail", "pass"]);
  });

  test("with enough of their weight, where a threshold says so", async () => {
    const weighted = (weight: number) => [{ ...mixed[0]!, weight }, mixed[1]!];
    const plan = createPlan([
      suite(
        one("half", { checks: mixed, threshold: 0.5 }),
        one("less", { checks: mixed, threshold: 0.6 }),
        one("heavy", { checks: weighted(3), threshold: 0.75 }),
        one("critical", { checks: [mixed[0]!, { ...mixed[1]!, critical: true }], threshold: 0.1 }),
      ),
    ]);
    const { results } = await play(
      plan,
      hubDouble(() => ({})),
      { concurrency: 1 },
    );

    expect(results.map(({ outcome }) => outcome)).toEqual(["pass", "fail", "pass", "fail"]);
  });

  test("as it was expected to end, where a check says how", async () => {
    const expected = one("t", { checks: [check("status", { is: "failed" })] });
    const { results } = await play(
      createPlan([suite(expected)]),
      hubDouble(() => failed),
    );

    expect(results[0]?.outcome).toBe("pass");
  });
});

test("a contest names who did best", async () => {
  const [first] = suite().agents;
  const contest = { metrics: ["quality" as const, "cost" as const], determineWinner: true, parallel: true };
  const rivals: Suite = {
    ...suite(one("t", { contest })),
    agents: [first!, { ...first!, name: "b", command: ["y"] }],
  };
  const cost = { x: 0.2, y: 0.1 };
  const hub = hubDouble(({ agent }) => {
    const word = typeof agent === "object" ? agent.command?.[0] : undefined;
    return { metrics: { cost_usd: word === "x" ? cost.x : cost.y } };
  });
  const { summary } = await play(createPlan([rivals]), hub);

  expect(summary.contests).toEqual([
    expect.objectContaining({ test_id: "t", winner: "b", reason: "better cost" }),
  ]);
});
