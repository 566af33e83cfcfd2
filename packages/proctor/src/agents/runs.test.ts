// What runs have to do with the registry: how agents answer is measured, and capabilities are held to their schemas.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../test/support/eventually.ts";
import { createScriptedDriver, type ScriptedDriver } from "../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub } from "../../test/support/test-hub.ts";
import type { Capability } from "../core/agent-profile.ts";
import type { Json } from "../core/json.ts";
import type { Run } from "../core/run.ts";

let opened: TestHub;
let driver: ScriptedDriver;

const SUM: Capability = {
  name: "sum",
  parameters: { type: "object", required: ["numbers"], properties: { numbers: { type: "array" } } },
  returns: { type: "object", required: ["total"], properties: { total: { type: "number" } } },
};

beforeEach(async () => {
  driver = createScriptedDriver();
  opened = await openTestHub({ driver, withRegistry: true });
});
afterEach(() => opened.close());

async function add(capability: Capability = SUM): Promise<void> {
  const stdio = { protocol: "atp", transport: "stdio", command: ["adder"] };
  await opened.hub.addAgent({ name: "adder", ...stdio, capabilities: [capability] });
}

let count = 0;
async function submit(input: Record<string, Json> = { numbers: [1, 2] }, capability = "sum") {
  const task = { description: "add", input_data: input };
  const { run } = await opened.hub.submit({ agent: "adder", task, options: { capability } });
  return { run, session: await driver.session(count++) };
}

async function answered(output: Json | undefined, said?: string): Promise<Run> {
  const { run, session } = await submit();
  if (output !== undefined) {
    session.push({ kind: "artifact", artifact: { type: "structured", name: "result", data: output } });
  }
  if (said !== undefined) {
    const parts = [{ kind: "text" as const, text: said }];
    session.push({ kind: "message", message: { id: "m", role: "agent", parts } });
  }
  session.end();
  return opened.ended(run.id);
}

describe("a run that carries out a capability", () => {
  beforeEach(() => void (count = 0));

  it("is not created when its input does not fit the parameters", async () => {
    await add();
    await expect(submit({ numbers: "many" })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringMatching(/numbers.*must be array/) as string,
      details: [{ path: "task.input_data" }],
    });
    expect((await opened.hub.runs({})).items).toEqual([]);
  });

  it("is not created when the agent has no such capability", async () => {
    await add();
    await expect(submit({}, "summ")).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringMatching(/did you mean "sum"/) as string,
    });
  });

  it.each([
    ["a structured artifact", { total: 3 }, undefined],
    ["a message that is JSON", undefined, '{"total": 3}'],
  ])("completes with %s that fits what the capability returns", async (_what, output, said) => {
    await add();
    expect(await answered(output, said)).toMatchObject({ status: "completed", violations: [] });
  });

  it.each([
    ["does not fit", { total: "three" }, /total: must be number/],
    ["is missing", undefined, /no structured output/],
  ])("has a violation when its output %s", async (_what, output, message) => {
    await add();
    const run = await answered(output);
    expect(run).toMatchObject({ status: "completed" });
    expect(run.violations).toMatchObject([
      { rule: "capability.returns", message: expect.stringMatching(message) as string },
    ]);
  });

  it("fails when its output does not fit and the capability says so", async () => {
    await add({ ...SUM, on_mismatch: "fail" });
    expect(await answered({ total: null })).toMatchObject({
      status: "failed",
      failure: { code: "INVALID_RESPONSE", details: { capability: "sum" } },
    });
  });
});

describe("how an agent answers its runs", () => {
  beforeEach(() => void (count = 0));

  it("is measured, kept, and makes a program count as online while it answers", async () => {
    await add();
    expect(await opened.registry?.get("adder")).toMatchObject({
      kind: "managed",
      health: { state: "unknown" },
    });
    const { run, session } = await submit();
    session.push({ kind: "artifact", artifact: { type: "structured", name: "r", data: { total: 3 } } });
    session.end("completed", { metrics: { cost_usd: 0.5 } });
    await opened.ended(run.id);
    const healthy = await eventually(async () => {
      const health = (await opened.registry!.get("adder")).health;
      expect(health.measured.runs).toBe(1);
      return health;
    });
    expect(healthy).toMatchObject({
      state: "online",
      measured: { runs: 1, completed: 1, success_rate: 1, cost_usd: 0.5 },
    });
    expect(healthy.measured.latency_ms).toBeGreaterThanOrEqual(0);
    const second = await submit();
    second.session.end("failed", { failure: { code: "AGENT_FAILED", message: "out of paper" } });
    await opened.ended(second.run.id);
    await eventually(async () => {
      expect((await opened.registry!.get("adder")).health).toMatchObject({
        state: "unknown",
        trouble: "out of paper",
        measured: { runs: 2, completed: 1, success_rate: 0.8 },
      });
    });
    await opened.registry?.history("adder", {});
    const { measures } = await opened.store.registry.load();
    expect(measures).toMatchObject([{ agent: "adder", document: { runs: 2, completed: 1 } }]);
  });

  it("says nothing about an agent whose run was cancelled", async () => {
    await add();
    const { run } = await submit();
    await opened.hub.cancel(run.id);
    await opened.ended(run.id);
    await opened.registry?.close();
    expect((await opened.store.registry.load()).measures).toEqual([]);
  });

  it("says nothing about an agent whose run the hub broke off", async () => {
    await add();
    const { run, session } = await submit();
    session.end("failed", { failure: { code: "INTERRUPTED", message: "the hub stopped" } });
    await opened.ended(run.id);
    await opened.registry?.close();
    expect((await opened.store.registry.load()).measures).toEqual([]);
  });
});

describe("what a test found about a run", () => {
  beforeEach(() => void (count = 0));

  async function ran(): Promise<string> {
    const { run, session } = await submit();
    session.end();
    await opened.ended(run.id);
    return run.id;
  }

  it("counts once for the quality of its agent, and is kept", async () => {
    await add();
    const { registry } = opened;
    const [good, bad] = [await ran(), await ran()];
    const verdicts = [
      { run_id: good, passed: true },
      { run_id: good, passed: false },
    ];
    expect(await registry?.judged(verdicts)).toEqual({ counted: 1 });
    expect((await registry?.get("adder"))?.health.measured).toMatchObject({ judged: 1, quality: 1 });
    expect(await registry?.judged([{ run_id: bad, passed: false }])).toEqual({ counted: 1 });
    expect((await registry?.get("adder"))?.health.measured).toMatchObject({ judged: 2, quality: 0.8 });
    await registry?.close();
    const { measures } = await opened.store.registry.load();
    expect(measures).toMatchObject([{ agent: "adder", document: { judged: 2, quality: 0.8 } }]);
  });

  it("is left out where the run is unknown, has not ended, or was cancelled", async () => {
    await add();
    const { run } = await submit();
    const verdicts = [run.id, "nobody"].map((run_id) => ({ run_id, passed: true }));
    expect(await opened.registry?.judged(verdicts)).toEqual({ counted: 0 });
    await opened.hub.cancel(run.id);
    await opened.ended(run.id);
    expect(await opened.registry?.judged(verdicts)).toEqual({ counted: 0 });
    expect((await opened.registry?.get("adder"))?.health.measured).toMatchObject({
      judged: 0,
      quality: null,
    });
  });

  it("is not taken from an agent, nor in any other form", async () => {
    await add();
    const caller = { name: "token:x", scopes: ["admin"], binding: { kind: "agent", name: "adder" } } as const;
    const verdicts = [{ run_id: await ran(), passed: true }];
    await expect(opened.registry?.judged(verdicts, caller)).rejects.toMatchObject({ code: "FORBIDDEN" });
    const wrong = [{ run_id: 7 }] as unknown as typeof verdicts;
    await expect(opened.registry?.judged(wrong)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });
});
