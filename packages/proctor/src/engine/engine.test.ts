import { afterEach, describe, expect, it } from "vitest";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub, type TestHubOptions } from "../../test/support/test-hub.ts";
import type { RunRequest } from "../core/ports/hub.ts";
import { eventually } from "../../test/support/eventually.ts";

const agent = { protocol: "atp", transport: "stdio", command: ["scripted"] };
const task = { description: "do it" };

let open: TestHub[] = [];
afterEach(async () => {
  for (const hub of open) await hub.close();
  open = [];
});

describe("running a task", () => {
  it("writes the life of a run as gapless events", async () => {
    const { hub, driver } = await setUp();
    const id = await submit(hub);
    const session = await driver.session(0);
    session.event("progress", { current_step: 1, message: "half way" });
    session.push({
      kind: "artifact",
      artifact: { type: "structured", name: "result", data: { answer: 42 } },
    });
    session.end("completed", { metrics: { total_tokens: 7 } });
    const run = await hub.ended(id);
    const log = await hub.log(id);
    expect(log.map(({ type }) => type)).toEqual([
      "run.created",
      "run.queued",
      "run.started",
      "progress",
      "artifact.added",
      "run.ended",
    ]);
    expect(log.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(run).toMatchObject({
      status: "completed",
      metrics: { total_tokens: 7, total_steps: 1 },
      artifacts: [{ type: "structured", name: "result", data: { answer: 42 } }],
      failure: null,
    });
  });

  it("stores an artifact's bytes under their hash, and says when the agent described them wrongly", async () => {
    const { hub, driver } = await setUp();
    const id = await submit(hub);
    const content = new TextEncoder().encode("hello");
    const session = await driver.session(0);
    const described = { content_type: "text/plain", size_bytes: 4, content_hash: "sha256:beef" };
    session.push({
      kind: "artifact",
      artifact: { type: "file", path: "../../etc/passwd", content, ...described },
    });
    session.end();
    const run = await hub.ended(id);
    expect(run.violations.map(({ rule }) => rule)).toEqual(["artifact.size", "artifact.hash"]);
    const [artifact] = run.artifacts;
    const chunks: Uint8Array[] = [];
    for await (const chunk of await hub.hub.readArtifact(id, artifact?.id ?? "")) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("hello");
    expect(artifact?.content_hash).toBe(
      "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    );
  });
});

describe("the engine", () => {
  it.each([
    ["max_steps", { max_steps: 2 }, "tool_call", {}, 3],
    ["max_tokens", { max_tokens: 100 }, "llm_request", { input_tokens: 30, output_tokens: 20 }, 3],
    ["budget_usd", { budget_usd: 1 }, "llm_request", { cost_usd: 0.4 }, 3],
  ] as const)(
    "stops at %s with BUDGET_EXCEEDED, and keeps what came",
    async (limit, constraints, type, payload, times) => {
      const { hub, driver } = await setUp();
      const id = await submit(hub, { constraints });
      const session = await driver.session(0);
      for (let index = 0; index < times - 1; index++) session.event(type, payload);
      await hub.until(id, (event) => event.type === type);
      expect(session.signals.cancel.aborted).toBe(false);
      session.event(type, payload);
      session.signals.cancel.addEventListener("abort", () => session.end("cancelled"));
      const run = await hub.ended(id);
      expect(run).toMatchObject({
        status: "failed",
        failure: { code: "BUDGET_EXCEEDED", details: { limit } },
      });
      expect((await hub.log(id)).filter((event) => event.type === type)).toHaveLength(times);
    },
  );

  it("compares the agent's final metrics with the limits, too", async () => {
    const { hub, driver } = await setUp();
    const id = await submit(hub, { constraints: { max_tokens: 10 } });
    (await driver.session(0)).end("completed", { metrics: { total_tokens: 11 } });
    expect(await hub.ended(id)).toMatchObject({ status: "failed", failure: { code: "BUDGET_EXCEEDED" } });
  });

  it.each([
    { input_tokens: 6, output_tokens: 5 },
    { input_tokens: 11 },
    { total_tokens: 3, input_tokens: 6, output_tokens: 5 },
  ])("counts the parts of tokens where the total leaves them out: %j", async (metrics) => {
    const { hub, driver } = await setUp();
    const id = await submit(hub, { constraints: { max_tokens: 10 } });
    (await driver.session(0)).end("completed", { metrics });
    expect(await hub.ended(id)).toMatchObject({
      status: "failed",
      failure: { code: "BUDGET_EXCEEDED", details: { limit: "max_tokens", used: 11 } },
    });
  });

  it("fails a strict run for a rule of the document, and not for one of Proctor's own", async () => {
    const { hub, driver } = await setUp();
    const own = await submit(hub, { options: { strict: true } });
    const session = await driver.session(0);
    session.event("violation", { rule: "atp.sequence.gap", message: "sequence is 42, expected 0" });
    session.end("completed", { metrics: { cost_usd: -1 } });
    const forgiven = await hub.ended(own);
    expect(forgiven.status).toBe("completed");
    expect(forgiven.violations).toMatchObject([
      { rule: "atp.sequence.gap", owner: "proctor" },
      { rule: "metrics.value", owner: "proctor" },
    ]);
    const broken = await submit(hub, { options: { strict: true } });
    const next = await driver.session(1);
    next.event("violation", { rule: "atp.sequence.gap", message: "sequence is 42, expected 0" });
    next.event("violation", { rule: "atp.event", message: "event.timestamp is missing" });
    next.end("completed");
    expect(await hub.ended(broken)).toMatchObject({
      status: "failed",
      failure: { code: "PROTOCOL_VIOLATION", details: { rule: "atp.event", count: 1 } },
      violations: [
        { rule: "atp.sequence.gap", owner: "proctor" },
        { rule: "atp.event", owner: "document", section: "JSON Schema for ATP Event" },
      ],
    });
  });

  it("leaves out impossible metrics, records a violation, and does not fail the run for it", async () => {
    const { hub, driver } = await setUp();
    const id = await submit(hub, {});
    const metrics = { total_tokens: -100, cost_usd: -5, total_steps: 1.5, llm_calls: 2, own: -1 };
    (await driver.session(0)).end("completed", { metrics });
    const run = await hub.ended(id);
    expect(run.status).toBe("completed");
    expect(run.metrics).toEqual({ llm_calls: 2, own: -1, wall_time_seconds: expect.any(Number) as number });
    expect(run.violations.map(({ rule, where }) => `${rule} ${where}`)).toEqual([
      "metrics.value metrics.total_tokens",
      "metrics.value metrics.cost_usd",
      "metrics.value metrics.total_steps",
    ]);
  });

  it("records an impossible amount in an event as a violation once per field, and adds nothing for it", async () => {
    const { hub, driver } = await setUp();
    const id = await submit(hub, {});
    const session = await driver.session(0);
    session.event("llm_request", { input_tokens: -5, output_tokens: 2, cost_usd: "much" });
    session.event("llm_request", { input_tokens: -1, output_tokens: 0.5 });
    session.event("llm_request", { input_tokens: 3, output_tokens: 4, cost_usd: null });
    session.end("completed");
    const { metrics, violations, status } = await hub.ended(id);
    expect({ status, metrics }).toMatchObject({
      status: "completed",
      metrics: { input_tokens: 3, output_tokens: 6, total_tokens: 9, llm_calls: 3 },
    });
    expect(violations.map(({ rule, where }) => `${rule} ${where}`)).toEqual([
      "metrics.value llm_request.input_tokens",
      "metrics.value llm_request.cost_usd",
      "metrics.value llm_request.output_tokens",
    ]);
  });

  it("ends at timeout_seconds with TIMEOUT after asking, waiting and insisting", async () => {
    const clock = createManualClock();
    const { hub, driver } = await setUp({ clock, graceMs: 2000 });
    const id = await submit(hub, { constraints: { timeout_seconds: 10 } });
    const session = await driver.session(0);
    session.event("progress", { message: "kept" });
    await hub.until(id, (event) => event.type === "progress");
    clock.advance(10_000);
    expect([session.signals.cancel.aborted, session.signals.kill.aborted]).toEqual([true, false]);
    clock.advance(2000);
    expect(session.signals.kill.aborted).toBe(true);
    const run = await hub.ended(id);
    expect(run).toMatchObject({ status: "timeout", failure: { code: "TIMEOUT" } });
    expect((await hub.log(id)).some((event) => event.type === "progress")).toBe(true);
  });

  it("allows 300 seconds when the request names no limit (document 000: default 300)", async () => {
    const clock = createManualClock();
    const { hub, driver } = await setUp({ clock });
    const id = await submit(hub);
    const session = await driver.session(0);
    clock.advance(299_999);
    expect(session.signals.cancel.aborted).toBe(false);
    clock.advance(1);
    expect(session.signals.cancel.aborted).toBe(true);
    session.end("cancelled");
    expect((await hub.ended(id)).status).toBe("timeout");
  });

  it("gives up on a driver that ignores everything, and the run ends all the same", async () => {
    const clock = createManualClock();
    const { hub, driver } = await setUp({ clock, stubborn: true });
    const id = await submit(hub, { constraints: { timeout_seconds: 1 } });
    await driver.session(0);
    clock.advance(60_000);
    expect((await hub.ended(id)).status).toBe("timeout");
  });
});

describe("the scheduler", () => {
  it("keeps to the global limit, and takes the oldest first", async () => {
    const { hub, driver } = await setUp({ concurrency: 2 });
    const ids = [await submit(hub), await submit(hub), await submit(hub)];
    await driver.session(1);
    expect(await statuses(hub, ids)).toEqual(["running", "running", "queued"]);
    driver.sessions[0]?.end();
    await driver.session(2);
    // Those that start together do so in any order.
    const [first, second, third] = driver.sessions.map(({ job }) => job.runId);
    expect(new Set([first, second])).toEqual(new Set(ids.slice(0, 2)));
    expect(third).toBe(ids[2]);
    for (const session of driver.sessions) session.end();
    for (const id of ids) await hub.ended(id);
  });

  it("keeps to the limit of one agent without holding up the others", async () => {
    const { hub, driver } = await setUp({ concurrency: 8, agentConcurrency: 1 });
    const other = { ...agent, command: ["other"] };
    const ids = [await submit(hub), await submit(hub), await submit(hub, { agent: other })];
    await driver.session(1);
    await hub.until(ids[2] ?? "", (event) => event.type === "run.started");
    expect(await statuses(hub, ids)).toEqual(["running", "queued", "running"]);
    driver.sessions[0]?.end();
    await driver.session(2);
    for (const session of driver.sessions) session.end();
    for (const id of ids) await hub.ended(id);
  });

  it("honours an agent's own limit over the hub's", async () => {
    const { hub, driver } = await setUp({ concurrency: 8, agentConcurrency: 1 });
    const roomy = { ...agent, concurrency: 2 };
    const ids = [
      await submit(hub, { agent: roomy }),
      await submit(hub, { agent: roomy }),
      await submit(hub, { agent: roomy }),
    ];
    await driver.session(1);
    expect(await statuses(hub, ids)).toEqual(["running", "running", "queued"]);
  });
});

describe("controlling a run", () => {
  it("cancels a queued run without starting it", async () => {
    const { hub, driver } = await setUp({ concurrency: 0 });
    const id = await submit(hub);
    expect(await hub.hub.cancel(id)).toMatchObject({ status: "cancelled", failure: { code: "CANCELLED" } });
    expect(driver.sessions).toHaveLength(0);
    expect((await hub.hub.cancel(id)).status).toBe("cancelled");
  });

  it("cancels a running run: asks first, and records the reason", async () => {
    const { hub, driver } = await setUp();
    const id = await submit(hub);
    const session = await driver.session(0);
    session.signals.cancel.addEventListener("abort", () => session.end("cancelled"));
    await hub.hub.cancel(id, "changed my mind");
    expect(await hub.ended(id)).toMatchObject({
      status: "cancelled",
      failure: { message: "changed my mind" },
    });
    expect(session.signals.kill.aborted).toBe(false);
  });

  it("refuses to cancel, pause or resume a completed run", async () => {
    const { hub, driver } = await setUp();
    const id = await submit(hub);
    (await driver.session(0)).end();
    await hub.ended(id);
    for (const action of ["cancel", "pause", "resume"] as const) {
      await expect(hub.hub[action](id)).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    }
  });

  it("pauses the agent, its clock and its log, and goes on afterwards", async () => {
    const clock = createManualClock();
    const { hub, driver } = await setUp({ clock });
    const id = await submit(hub, { constraints: { timeout_seconds: 10 } });
    const session = await driver.session(0);
    session.event("progress", { message: "before" });
    await hub.until(id, (event) => event.type === "progress");
    expect((await hub.hub.pause(id)).status).toBe("paused");
    expect(session.paused).toBe(true);
    for (let index = 0; index < 5; index++) session.event("progress", { message: "meanwhile" });
    clock.advance(3_600_000);
    await hub.store.ping();
    expect((await hub.log(id)).filter((event) => event.type === "progress")).toHaveLength(1);
    expect((await hub.hub.resume(id)).status).toBe("running");
    expect(session.paused).toBe(false);
    session.end();
    expect((await hub.ended(id)).status).toBe("completed");
    expect((await hub.log(id)).filter((event) => event.type === "progress")).toHaveLength(6);
  });

  it("cancels a paused run", async () => {
    const { hub, driver } = await setUp();
    const id = await submit(hub);
    const session = await driver.session(0);
    await hub.hub.pause(id);
    session.signals.cancel.addEventListener("abort", () => session.end("cancelled"));
    await hub.hub.cancel(id);
    expect((await hub.ended(id)).status).toBe("cancelled");
  });
});

describe("a retry policy", () => {
  it("makes each attempt a run of its own, linked both ways, after the delay", async () => {
    const clock = createManualClock();
    const { hub, driver } = await setUp({ clock });
    const retry = { max_attempts: 2, initial_delay_ms: 1000 };
    const id = await submit(hub, { retry, context: { environment: { API_KEY: "sk-very-secret" } } });
    const crashed = { failure: { code: "AGENT_CRASHED", message: "boom" } };
    (await driver.session(0)).end("failed", crashed);
    const first = await hub.ended(id);
    expect(first).toMatchObject({ status: "failed", attempt: 1, failure: crashed.failure });
    const second = first.retried_as ?? "";
    expect(await hub.hub.run(second)).toMatchObject({ status: "queued", attempt: 2, retry_of: id });
    await eventually(() => expect(clock.waiting).toBe(1));
    clock.advance(499);
    expect(driver.sessions).toHaveLength(1);
    clock.advance(1);
    const session = await driver.session(1);
    expect(session.job.context.environment).toEqual({ API_KEY: "sk-very-secret" });
    session.end("failed", crashed);
    expect(await hub.ended(second)).toMatchObject({ status: "failed", retried_as: null });
  });
});

async function setUp(options: TestHubOptions & { stubborn?: boolean } = {}) {
  const driver = createScriptedDriver(options);
  const hub = await openTestHub({ driver, ...options });
  open.push(hub);
  return { hub, driver };
}

async function submit(hub: TestHub, request: Partial<RunRequest> = {}): Promise<string> {
  const { run } = await hub.hub.submit({ agent, task, ...request });
  return run.id;
}

async function statuses(hub: TestHub, ids: string[]): Promise<string[]> {
  return Promise.all(ids.map(async (id) => (await hub.hub.run(id)).status));
}
