import { describe, expect, test } from "vitest";
import { ProctorError } from "../../core/errors.ts";
import type { EventDraft } from "../../core/event.ts";
import { createPlan } from "../plan.ts";
import type { Reporter } from "../reporter.ts";
import { suiteOutcome } from "../result.ts";
import type { TerminalStatus } from "../../core/run.ts";
import { hubDouble, type Script } from "../../../test/support/run/hub-double.ts";
import { check, one, play, report, suite } from "../../../test/support/run/suite.ts";

describe("a case of a suite", () => {
  test("passes when the run completes and every check passes", async () => {
    const hub = hubDouble(() => ({ artifacts: [report("1", "all is well")] }));
    const contains = check("contains", { pattern: "well" });
    const plan = createPlan([
      suite(one("t", { checks: [contains, check("no_errors")], constraints: { max_steps: 2 } })),
    ]);
    const { results, summary } = await play(plan, hub);

    expect(results[0]).toMatchObject({
      outcome: "pass",
      attempts: [{ runId: "run-0", status: "completed" }],
    });
    expect(summary).toMatchObject({ total: 1, passed: 1, failed: 0, unevaluated: 0, interrupted: false });
    expect(hub.requests).toEqual([
      {
        agent: { protocol: "atp", transport: "stdio", command: ["x"], env: { K: "v" } },
        task: { description: "t" },
        constraints: { max_steps: 2 },
        metadata: { suite: "s", test_id: "t", run_number: 1, total_runs: 1 },
      },
    ]);
  });

  test("fails when one check fails, and says which", async () => {
    const hub = hubDouble(() => ({ artifacts: [report("1", "nothing")] }));
    const checks = [check("no_errors"), check("contains", { pattern: "well" }, { line: 14 })];
    const { results } = await play(createPlan([suite(one("t", { checks }))]), hub);
    expect(results[0]?.outcome).toBe("fail");
    expect(results[0]?.attempts[0]?.checks).toMatchObject([
      { type: "no_errors", verdict: { outcome: "pass" } },
      {
        type: "contains",
        line: 14,
        col: 3,
        verdict: { outcome: "fail", message: '"well" not found; the run produced "report.md": "nothing"' },
      },
    ]);
  });

  test.each<[TerminalStatus, string | undefined, string]>([
    ["failed", "LLM_ERROR", "fail"],
    ["timeout", "TIMEOUT", "fail"],
    ["partial", undefined, "fail"],
    ["failed", "INTERRUPTED", "unevaluated"],
    ["cancelled", "CANCELLED", "unevaluated"],
  ])("of a run that ends as %s (%s) is %s", async (status, code, outcome) => {
    const failure = code === undefined ? undefined : { code, message: "the reason" };
    const hub = hubDouble(() => ({ status, ...(failure && { failure }) }));
    const { results } = await play(createPlan([suite(one("t"))]), hub);
    const reason = `the run ended as ${status}${code === undefined ? "" : `: ${code}: the reason`}`;
    expect(results[0]).toMatchObject({ outcome, attempts: [{ status, reason }] });
  });

  test("checks what a partial run produced, and nothing of a failed one", async () => {
    const hub = hubDouble(({ task }) => ({ status: task.description === "p" ? "partial" : "failed" }));
    const checks = [check("artifact_exists", { path: "x" })];
    const { results } = await play(createPlan([suite(one("p", { checks }), one("f", { checks }))]), hub, {
      concurrency: 1,
    });
    expect(results.map(({ attempts }) => attempts[0]?.checks.length)).toEqual([1, 0]);
  });

  test("that runs several times passes only when all runs pass", async () => {
    const hub = hubDouble((_, index) => ({ artifacts: [report("1", index === 1 ? "bad" : "well")] }));
    const checks = [check("contains", { pattern: "well" })];
    const { results } = await play(createPlan([suite(one("t", { runs: 3, checks }))]), hub);
    expect(results).toHaveLength(1);
    expect(results[0]?.outcome).toBe("fail");
    expect(results[0]?.attempts.map(({ number, outcome }) => [number, outcome])).toEqual([
      [1, "pass"],
      [2, "fail"],
      [3, "pass"],
    ]);
    expect(hub.requests.map(({ metadata }) => metadata?.["run_number"])).toEqual([1, 2, 3]);
  });

  test("is unevaluated when a check is, unless something fails", async () => {
    const lost: Script = { artifacts: [{ artifact: { id: "1", type: "file", path: "a" }, text: "" }] };
    const hub = hubDouble(() => lost);
    const contains = check("contains", { pattern: "x" });
    const missing = check("artifact_exists", { path: "y" });
    const plan = createPlan([
      suite(one("u", { checks: [contains] }), one("f", { checks: [contains, missing] })),
    ]);
    const { results } = await play(plan, hub, { concurrency: 1 });
    expect(results.map(({ outcome }) => outcome)).toEqual(["unevaluated", "fail"]);
  });

  test("is unevaluated when the hub refuses it, and the others still run", async () => {
    const hub = hubDouble(({ task }) => {
      if (task.description === "bad") throw new ProctorError("AGENT_NOT_FOUND", "there is no agent x");
      return {};
    });
    const { results } = await play(createPlan([suite(one("bad"), one("good"))]), hub, {
      concurrency: 1,
    });
    expect(results).toMatchObject([
      { outcome: "unevaluated", attempts: [{ reason: "there is no agent x" }] },
      { outcome: "pass" },
    ]);
  });

  test("reads a log of many pages", async () => {
    const events: EventDraft[] = Array.from({ length: 1201 }, () => ({ type: "progress", payload: {} }));
    events.push({ type: "error", payload: { message: "at the very end" } });
    const hub = hubDouble(() => ({ events }));
    const { results } = await play(createPlan([suite(one("t", { checks: [check("no_errors")] }))]), hub);
    expect(results[0]?.attempts[0]?.checks[0]?.verdict.message).toContain("at the very end");
  });
});

describe("running a suite", () => {
  test("uses the limit of concurrent runs and never exceeds it", async () => {
    const hub = hubDouble(() => ({ until: Promise.resolve() }));
    const tests = Array.from({ length: 20 }, (_, index) => one(`t${index}`, { runs: 2 }));
    const { summary } = await play(createPlan([suite(...tests)]), hub, { concurrency: 3 });
    expect(summary.passed).toBe(20);
    expect(hub.most).toBe(3);
  });

  test("calls reporters in order", async () => {
    const told: string[] = [];
    const reporter: Reporter = {
      start: (plan) => told.push(`start ${plan.cases.length}`),
      caseStarted: ({ test }) => told.push(`started ${test.id}`),
      caseEnded: (result) => told.push(`ended ${result.case.test.id} ${result.outcome}`),
      end: (summary) => told.push(`end ${summary.passed}`),
    };
    const plan = createPlan([suite(one("1", { runs: 2 }), one("2"))]);
    await play(
      plan,
      hubDouble(() => ({})),
      { reporters: [reporter], concurrency: 1 },
    );
    expect(told).toEqual(["start 2", "started 1", "ended 1 pass", "started 2", "ended 2 pass", "end 2"]);
  });

  test("cancels what runs, starts nothing more and keeps what ended when it is interrupted", async () => {
    const never = new Promise<void>(() => undefined);
    const hub = hubDouble(({ task }) => (task.description === "done" ? {} : { until: never }));
    const controller = new AbortController();
    const started: string[] = [];
    const reporter: Reporter = {
      start: () => undefined,
      caseStarted({ test }) {
        started.push(test.id);
        // All three of the first are under way.
        if (started.length === 3) queueMicrotask(() => controller.abort());
      },
      caseEnded: () => undefined,
      end: () => undefined,
    };
    const plan = createPlan([suite(one("done"), one("b"), one("c"), one("d"))]);
    const { results, summary } = await play(
      plan,
      hub,
      { reporters: [reporter], concurrency: 2 },
      controller.signal,
    );

    expect(hub.cancelled.toSorted()).toEqual(["run-1", "run-2"]);
    expect(results.map((result) => [result.case.test.id, result.outcome])).toEqual([["done", "pass"]]);
    expect(summary).toMatchObject({ interrupted: true, stopped: "interrupted", total: 4, passed: 1 });
    expect(summary.notRun.map(({ test }) => test.id)).toEqual(["b", "c", "d"]);
    expect(hub.requests).toHaveLength(3);
  });

  test("cancels a run that was being submitted when it was interrupted", async () => {
    const controller = new AbortController();
    const hub = hubDouble(() => {
      controller.abort();
      return { until: new Promise(() => undefined) };
    });
    await play(createPlan([suite(one("t"))]), hub, {}, controller.signal);
    expect(hub.cancelled).toEqual(["run-0"]);
  });

  test("leaves nothing running when a reporter breaks", async () => {
    const hub = hubDouble(({ task }) =>
      task.description === "quick" ? {} : { until: new Promise(() => undefined) },
    );
    const reporter: Reporter = {
      start: () => undefined,
      caseEnded() {
        throw new Error("disk full");
      },
      end: () => undefined,
    };
    const plan = createPlan([suite(one("slow"), one("quick"))]);
    await expect(play(plan, hub, { reporters: [reporter] })).rejects.toThrow("disk full");
    expect(hub.cancelled).toEqual(["run-0"]);
  });

  test("gives no verdict on a run whose log ends early", async () => {
    const hub = hubDouble(() => ({}));
    // oxlint-disable-next-line require-yield
    hub.follow = async function* () {};
    const { results } = await play(createPlan([suite(one("t"))]), hub);
    expect(results[0]).toMatchObject({ outcome: "unevaluated" });
  });
});

test("the exit code says whether something failed or could not be evaluated", () => {
  expect(suiteOutcome({ total: 2, passed: 2, failed: 0 })).toBe(0);
  expect(suiteOutcome({ total: 3, passed: 1, failed: 1 })).toBe(1);
  expect(suiteOutcome({ total: 2, passed: 1, failed: 0 })).toBe(3);
  expect(suiteOutcome({ total: 0, passed: 0, failed: 0 })).toBe(3);
});
