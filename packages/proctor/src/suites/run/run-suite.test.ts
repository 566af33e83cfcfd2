import { describe, expect, test } from "vitest";
import type { Artifact } from "../core/artifact.ts";
import { ProctorError } from "../core/errors.ts";
import type { EventDraft, RunEvent } from "../core/event.ts";
import type { Failure } from "../core/failure.ts";
import type { Hub, RunRequest } from "../core/ports/hub.ts";
import type { Run, TerminalStatus } from "../core/run.ts";
import { findCheck } from "./checks/registry.ts";
import type { Suite, SuiteCheck, SuiteTest } from "./load.ts";
import { createPlan } from "./plan.ts";
import type { Reporter } from "./reporter.ts";
import { suiteOutcome } from "./result.ts";
import { runSuite } from "./run-suite.ts";

/** How a run of the double goes. */
interface Script {
  status?: TerminalStatus;
  failure?: Failure;
  events?: EventDraft[];
  artifacts?: { artifact: Artifact; text: string }[];
  /** The run ends only when this resolves, or when it is cancelled. */
  until?: Promise<void>;
}

interface HubDouble extends Pick<Hub, "submit" | "follow" | "run" | "events" | "readArtifact" | "cancel"> {
  requests: RunRequest[];
  cancelled: string[];
  most: number;
}

/** A hub in memory whose runs follow a script, chosen by the request. */
function hubDouble(script: (request: RunRequest, index: number) => Script): HubDouble {
  const runs = new Map<
    string,
    { run: Run; script: Script; log: RunEvent[]; stop: () => void; stopped: Promise<void> }
  >();
  let inFlight = 0;
  const get = (id: string) => {
    const found = runs.get(id);
    if (!found) throw new ProctorError("RUN_NOT_FOUND", id);
    return found;
  };
  const hub: HubDouble = {
    requests: [],
    cancelled: [],
    most: 0,
    submit(request) {
      const scripted = script(request, hub.requests.push(request) - 1);
      hub.most = Math.max(hub.most, ++inFlight);
      const id = `run-${runs.size}`;
      let stop = (): void => undefined;
      const stopped = new Promise<void>((resolve) => {
        stop = resolve;
      });
      const log = (scripted.events ?? []).map((draft, sequence): RunEvent =>
        Object.assign({ run_id: id, sequence, timestamp: "" }, draft),
      );
      const run = {
        id,
        status: "running",
        task: request.task,
        artifacts: [],
        failure: null,
      } as unknown as Run;
      runs.set(id, { run, script: scripted, log, stop, stopped });
      return Promise.resolve({ run, created: true });
    },
    async *follow(id) {
      const { run, script: scripted, log, stopped } = get(id);
      yield* log;
      if (scripted.until) await Promise.race([scripted.until, stopped]);
      inFlight -= 1;
      run.artifacts = (scripted.artifacts ?? []).map(({ artifact }) => artifact);
      run.failure = scripted.failure ?? null;
      if (run.status === "running") run.status = scripted.status ?? "completed";
    },
    run: (id) => Promise.resolve(get(id).run),
    events: (id, { after = -1, limit = 100 }) =>
      Promise.resolve(
        get(id)
          .log.filter(({ sequence }) => sequence > after)
          .slice(0, limit),
      ),
    readArtifact(id, artifactId) {
      const found = get(id).script.artifacts?.find(({ artifact }) => artifact.id === artifactId);
      if (!found) return Promise.reject(new ProctorError("ARTIFACT_NOT_FOUND", artifactId));
      return Promise.resolve(
        (async function* () {
          // In pieces, because that is how a hub streams.
          for (const char of found.text) yield new TextEncoder().encode(char);
        })(),
      );
    },
    cancel(id) {
      hub.cancelled.push(id);
      const { run, stop } = get(id);
      run.status = "cancelled";
      stop();
      return Promise.resolve(run);
    },
  };
  return hub;
}

// The rest of the hub is not used here: calling it would throw.
const asHub = (hub: HubDouble): Hub => hub as unknown as Hub;

const check = (type: string, config: object = {}, line = 1): SuiteCheck => ({
  type,
  critical: false,
  line,
  col: 3,
  evaluate: findCheck(type)!.bind(config),
});

const one = (id: string, rest: Partial<SuiteTest> = {}): SuiteTest => ({
  id,
  name: id,
  tags: [],
  task: { description: id },
  constraints: {},
  runs: 1,
  checks: [],
  line: 1,
  col: 1,
  ...rest,
});

const suite = (...tests: SuiteTest[]): Suite => ({
  file: "s.yaml",
  name: "s",
  agents: [{ name: "a", protocol: "atp", transport: "stdio", command: ["x"], env: { K: "v" } }],
  tests,
});

const report = (id: string, text: string) => ({
  artifact: { id, type: "file", path: "report.md", content_hash: "sha256:0" } satisfies Artifact,
  text,
});

describe("a case", () => {
  test("passes when the run completes and every check passes", async () => {
    const hub = hubDouble(() => ({ artifacts: [report("1", "all is well")] }));
    const contains = check("contains", { pattern: "well" });
    const plan = createPlan([
      suite(one("t", { checks: [contains, check("no_errors")], constraints: { max_steps: 2 } })),
    ]);
    const { results, summary } = await runSuite(plan, asHub(hub));

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
    const checks = [check("no_errors"), check("contains", { pattern: "well" }, 14)];
    const { results } = await runSuite(createPlan([suite(one("t", { checks }))]), asHub(hub));
    expect(results[0]?.outcome).toBe("fail");
    expect(results[0]?.attempts[0]?.checks).toMatchObject([
      { type: "no_errors", verdict: { outcome: "pass" } },
      {
        type: "contains",
        line: 14,
        col: 3,
        verdict: { outcome: "fail", message: '"well" not found; the run produced "report.md"' },
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
    const { results } = await runSuite(createPlan([suite(one("t"))]), asHub(hub));
    const reason = `the run ended as ${status}${code === undefined ? "" : `: ${code}: the reason`}`;
    expect(results[0]).toMatchObject({ outcome, attempts: [{ status, reason }] });
  });

  test("checks what a partial run produced, and nothing of a failed one", async () => {
    const hub = hubDouble(({ task }) => ({ status: task.description === "p" ? "partial" : "failed" }));
    const checks = [check("artifact_exists", { path: "x" })];
    const { results } = await runSuite(
      createPlan([suite(one("p", { checks }), one("f", { checks }))]),
      asHub(hub),
      { concurrency: 1 },
    );
    expect(results.map(({ attempts }) => attempts[0]?.checks.length)).toEqual([1, 0]);
  });

  test("that runs several times passes only when all runs pass", async () => {
    const hub = hubDouble((_, index) => ({ artifacts: [report("1", index === 1 ? "bad" : "well")] }));
    const checks = [check("contains", { pattern: "well" })];
    const { results } = await runSuite(createPlan([suite(one("t", { runs: 3, checks }))]), asHub(hub));
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
    const { results } = await runSuite(plan, asHub(hub), { concurrency: 1 });
    expect(results.map(({ outcome }) => outcome)).toEqual(["unevaluated", "fail"]);
  });

  test("is unevaluated when the hub refuses it, and the others still run", async () => {
    const hub = hubDouble(({ task }) => {
      if (task.description === "bad") throw new ProctorError("AGENT_NOT_FOUND", "there is no agent x");
      return {};
    });
    const { results } = await runSuite(createPlan([suite(one("bad"), one("good"))]), asHub(hub), {
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
    const { results } = await runSuite(
      createPlan([suite(one("t", { checks: [check("no_errors")] }))]),
      asHub(hub),
    );
    expect(results[0]?.attempts[0]?.checks[0]?.verdict.message).toContain("at the very end");
  });
});

describe("running", () => {
  test("keeps to the limit of runs at once, and uses it", async () => {
    const hub = hubDouble(() => ({ until: Promise.resolve() }));
    const tests = Array.from({ length: 20 }, (_, index) => one(`t${index}`, { runs: 2 }));
    const { summary } = await runSuite(createPlan([suite(...tests)]), asHub(hub), { concurrency: 3 });
    expect(summary.passed).toBe(20);
    expect(hub.most).toBe(3);
  });

  test("tells reporters what happens, in order", async () => {
    const told: string[] = [];
    const reporter: Reporter = {
      start: (plan) => told.push(`start ${plan.cases.length}`),
      caseStarted: ({ test }) => told.push(`started ${test.id}`),
      caseEnded: (result) => told.push(`ended ${result.case.test.id} ${result.outcome}`),
      end: (summary) => told.push(`end ${summary.passed}`),
    };
    const plan = createPlan([suite(one("1", { runs: 2 }), one("2"))]);
    await runSuite(plan, asHub(hubDouble(() => ({}))), { reporters: [reporter], concurrency: 1 });
    expect(told).toEqual(["start 2", "started 1", "ended 1 pass", "started 2", "ended 2 pass", "end 2"]);
  });

  test("an interruption cancels what runs, starts nothing more and keeps what ended", async () => {
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
    const { results, summary } = await runSuite(
      plan,
      asHub(hub),
      { reporters: [reporter], concurrency: 2 },
      controller.signal,
    );

    expect(hub.cancelled.toSorted()).toEqual(["run-1", "run-2"]);
    expect(results.map((result) => [result.case.test.id, result.outcome])).toEqual([
      ["done", "pass"],
      ["b", "unevaluated"],
      ["c", "unevaluated"],
    ]);
    expect(summary).toMatchObject({ interrupted: true, total: 4, passed: 1 });
    expect(summary.notRun.map(({ test }) => test.id)).toEqual(["d"]);
    expect(hub.requests).toHaveLength(3);
  });

  test("an interruption while a run is being submitted cancels that run too", async () => {
    const controller = new AbortController();
    const hub = hubDouble(() => {
      controller.abort();
      return { until: new Promise(() => undefined) };
    });
    await runSuite(createPlan([suite(one("t"))]), asHub(hub), {}, controller.signal);
    expect(hub.cancelled).toEqual(["run-0"]);
  });

  test("a reporter that breaks leaves nothing running", async () => {
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
    await expect(runSuite(plan, asHub(hub), { reporters: [reporter] })).rejects.toThrow("disk full");
    expect(hub.cancelled).toEqual(["run-0"]);
  });

  test("a log that ends before its run is no verdict", async () => {
    const hub = hubDouble(() => ({}));
    // oxlint-disable-next-line require-yield
    hub.follow = async function* () {};
    const { results } = await runSuite(createPlan([suite(one("t"))]), asHub(hub));
    expect(results[0]).toMatchObject({ outcome: "unevaluated" });
  });
});

test("the exit code says whether something failed or could not be evaluated", () => {
  const outcomes = (...all: ("pass" | "fail" | "unevaluated")[]) =>
    suiteOutcome(all.map((outcome) => ({ outcome })));
  expect(outcomes("pass", "pass")).toBe(0);
  expect(outcomes("pass", "unevaluated", "fail")).toBe(1);
  expect(outcomes("pass", "unevaluated")).toBe(3);
  expect(outcomes()).toBe(3);
});
