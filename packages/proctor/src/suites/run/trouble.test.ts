import { describe, expect, test } from "vitest";
import { createPlan } from "../plan.ts";
import { hubDouble, type Script } from "../../../test/support/run/hub-double.ts";
import { one, play, suite } from "../../../test/support/run/suite.ts";
import { troubleOf } from "./trouble.ts";

const broken = (code: string, details?: object): Script => ({
  status: "failed",
  failure: { code, message: "broken", ...(details && { details: { ...details } }) },
});
const rateLimited = broken("HTTP_ERROR", { status: 429, retry_after_seconds: 0.01 });

describe("a run that infrastructure broke", () => {
  test("is tried again, and the result says so", async () => {
    const hub = hubDouble((_, index) => (index === 0 ? broken("UNREACHABLE") : {}));
    const { results, summary } = await play(createPlan([suite(one("t"))]), hub);

    expect(results[0]).toMatchObject({ outcome: "pass", attempts: [{ retried: ["run-0"], runId: "run-1" }] });
    expect(results[0]?.attempts).toHaveLength(1);
    expect(summary.runs).toMatchObject({ total: 1, passed: 1 });
  });

  test("fails when it broke too often", async () => {
    const hub = hubDouble(() => broken("UNREACHABLE"));
    const { results } = await play(createPlan([suite(one("t"))]), hub);

    expect(hub.requests).toHaveLength(2);
    expect(results[0]).toMatchObject({ outcome: "fail", attempts: [{ retried: ["run-0"] }] });
  });

  test("is not tried again when nobody wants that", async () => {
    const hub = hubDouble(() => broken("UNREACHABLE"));
    await play(createPlan([suite(one("t"))]), hub, { retries: 0 });

    expect(hub.requests).toHaveLength(1);
  });

  test.each(["AGENT_CRASHED", "TIMEOUT", "INVALID_RESPONSE", "LLM_ERROR"])(
    "is not meant by %s, which is the agent's own failure",
    async (code) => {
      const hub = hubDouble(() => broken(code));
      await play(createPlan([suite(one("t"))]), hub, { retries: 3 });

      expect(hub.requests).toHaveLength(1);
    },
  );

  test("of the platform itself is no verdict about the agent", async () => {
    const { results } = await play(
      createPlan([suite(one("t"))]),
      hubDouble(() => broken("TOOLS_FAILED")),
      {
        retries: 0,
      },
    );
    expect(results[0]?.outcome).toBe("unevaluated");
  });
});

describe("an agent that asks for fewer requests", () => {
  test("gets them, as often as it asks, and everything is run in the end", async () => {
    let refused = 0;
    const hub = hubDouble(() => (refused++ < 6 ? rateLimited : {}));
    const { summary } = await play(createPlan([suite(one("t", { runs: 8 }))]), hub, {
      concurrency: 4,
      retries: 0,
    });

    expect(summary.runs).toMatchObject({ total: 8, passed: 8 });
    expect(hub.requests).toHaveLength(14);
  });

  test("has fewer runs in flight afterwards", async () => {
    let inFlight = 0;
    let most = 0;
    const hub = hubDouble((_, index) => {
      if (index < 4) return rateLimited;
      most = Math.max(most, ++inFlight);
      return { until: Promise.resolve().then(() => void (inFlight -= 1)) };
    });
    await play(createPlan([suite(one("t", { runs: 6 }))]), hub, { concurrency: 4 });

    expect(most).toBeLessThan(4);
  });

  test("is waited for as long as it says", () => {
    const attempt = (failure: object) => ({ status: "failed", failure }) as never;
    const half = (): number => 0.5;
    expect(
      troubleOf(attempt({ code: "HTTP_ERROR", details: { status: 429, retry_after_seconds: 7 } }), 0, half),
    ).toEqual({
      rateLimited: true,
      delayMs: 7000,
    });
    expect(troubleOf(attempt({ code: "HTTP_ERROR", details: { status: 503 } }), 1, half)).toEqual({
      rateLimited: false,
      delayMs: 750,
    });
    expect(
      troubleOf(attempt({ code: "HTTP_ERROR", details: { status: 429, retry_after_seconds: 1e9 } }), 0, half)
        ?.delayMs,
    ).toBe(60_000);
    expect(troubleOf(attempt({ code: "HTTP_ERROR", details: { status: 400 } }), 0, half)).toBeUndefined();
  });
});
