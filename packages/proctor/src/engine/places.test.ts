// The environments of a run's program and terminal: made before the agent starts, recorded in the log, and gone in the end.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../../test/support/eventually.ts";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import { noEnvironments, openTestHub, type TestHub } from "../../test/support/test-hub.ts";
import type { EnvironmentFacts } from "../core/environment.ts";
import { ProctorError } from "../core/errors.ts";
import type { Environment, Environments, OpenEnvironment } from "../core/ports/environments.ts";
import type { ModelHost, OpenModel } from "../core/ports/model-host.ts";
import { snapshotPath } from "../core/snapshot-name.ts";

let hub: TestHub;
afterEach(() => hub.close());

interface Places extends Environments {
  opened: OpenEnvironment[];
  copiedIn: string[];
  destroyed: string[];
  restored: string[];
}

function places(open?: (request: OpenEnvironment) => void): Places {
  const made: Places = { ...noEnvironments(), opened: [], copiedIn: [], destroyed: [], restored: [] };
  made.open = async (request) => {
    open?.(request);
    made.opened.push(request);
    if (request.restore) {
      let text = "";
      for await (const piece of request.restore) text += Buffer.from(piece).toString();
      made.restored.push(text);
    }
    const facts: EnvironmentFacts = {
      kind: "bwrap",
      isolated: true,
      role: request.role,
      root: "host",
      workdir: "/app",
      network: "none",
      limits: {},
      enforced: [],
      notes: [],
    };
    // Only what the engine needs.
    return {
      facts,
      workdir: "/app",
      copyIn: async (source: string, target: string) => void made.copiedIn.push(`${source} ${target}`),
      copyOut: async (_: string, folder: string) => {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, "made.txt"), "made");
        return { files: 1, bytes: 4, leftOut: [] };
      },
      destroy: async () => void made.destroyed.push(request.id),
    } as unknown as Environment;
  };
  return made;
}

const terminal = { ...createScriptedDriver(), needs: { terminal: true } };

describe("the terminal of a run", () => {
  it("is opened before the agent starts, recorded in the log, and destroyed after the run", async () => {
    const environments = places();
    const driver = createScriptedDriver();
    hub = await openTestHub({ driver: { ...driver, needs: { terminal: true } }, environments });
    const { run } = await hub.hub.submit({
      agent: "atp+stdio:x",
      task: { description: "t" },
      options: { environment: { network: "none" } },
    });
    const session = await driver.session(0);
    expect(session.job.terminal?.workdir).toBe("/app");
    session.end();
    await hub.ended(run.id);
    await expect.poll(() => environments.destroyed).toEqual([`${run.id}-terminal`]);
    const log = await hub.log(run.id);
    expect(log.find(({ type }) => type === "environment.opened")).toMatchObject({
      payload: { role: "terminal", kind: "bwrap", isolated: true },
    });
  });

  it("stays open after the run when it is held", async () => {
    const environments = places();
    const driver = createScriptedDriver();
    hub = await openTestHub({ driver: { ...driver, needs: { terminal: true } }, environments });
    const options = { environment: { hold: true } };
    const { run } = await hub.hub.submit({ agent: "atp+stdio:x", task: { description: "t" }, options });
    (await driver.session(0)).end();
    await hub.ended(run.id);
    await hub.engine.stop(0);
    expect(environments.destroyed).toEqual([]);
  });

  it("begins with the workspace, into which its files come back where the run collects them", async () => {
    const environments = places();
    const driver = createScriptedDriver();
    hub = await openTestHub({ driver: { ...driver, needs: { terminal: true } }, environments });
    const fixture = join(hub.folder, "fixture");
    mkdirSync(fixture);
    writeFileSync(join(fixture, "given.txt"), "given");
    const { run } = await hub.hub.submit({
      agent: "atp+stdio:x",
      task: { description: "t" },
      options: { workspace: { fixture, collect: ["*.txt"], keep: true } },
    });
    const session = await driver.session(0);
    const path = session.job.context.workspace_path ?? "";
    expect(environments.copiedIn).toEqual([`${path} /app`]);
    session.end();
    expect((await hub.ended(run.id)).artifacts).toMatchObject([{ path: "made.txt" }]);
    expect(readFileSync(join(path, "made.txt"), "utf8")).toBe("made");
    expect(existsSync(join(path, "given.txt"))).toBe(false);
  });

  it("fails the run when it cannot be opened, and leaves nothing", async () => {
    const environments = places(() => {
      throw new ProctorError("BUILD_FAILED", "Dockerfile:2: no", {
        details: { file: "Dockerfile", line: 2 },
      });
    });
    hub = await openTestHub({ driver: terminal, environments });
    const { run } = await hub.hub.submit({ agent: "atp+stdio:x", task: { description: "t" } });
    expect((await hub.ended(run.id)).failure).toEqual({
      code: "BUILD_FAILED",
      message: "Dockerfile:2: no",
      details: { file: "Dockerfile", line: 2 },
    });
  });

  it("does not use up the run's time while it is made", async () => {
    let build = (): void => undefined;
    let building = false;
    const environments = places();
    const open = environments.open.bind(environments);
    environments.open = async (request) => {
      await new Promise<void>((resolve) => {
        build = resolve;
        building = true;
      });
      return open(request);
    };
    const driver = createScriptedDriver();
    const clock = createManualClock();
    hub = await openTestHub({ driver: { ...driver, needs: { terminal: true } }, environments, clock });
    const constraints = { timeout_seconds: 1 };
    const { run } = await hub.hub.submit({ agent: "atp+stdio:x", task: { description: "t" }, constraints });
    await hub.until(run.id, ({ type }) => type === "run.started");
    await eventually(() => expect(building).toBe(true));
    clock.advance(60_000);
    build();
    (await driver.session(0)).end();
    expect((await hub.ended(run.id)).status).toBe("completed");
  });

  it("continues from a step of another run, and names the possible steps where it cannot", async () => {
    const environments = places();
    const driver = createScriptedDriver();
    hub = await openTestHub({ driver: { ...driver, needs: { terminal: true } }, environments });
    const first = await hub.hub.submit({ agent: "atp+stdio:x", task: { description: "t" } });
    const session = await driver.session(0);
    for (const step of [1, 2]) {
      const content = new TextEncoder().encode(`after ${step}`);
      session.push({ kind: "artifact", artifact: { type: "file", path: snapshotPath(step), content } });
    }
    session.end();
    await hub.ended(first.run.id);
    const fork = (from: { run_id: string; step?: number }) =>
      hub.hub.submit({
        agent: "atp+stdio:x",
        task: { description: "t" },
        options: { environment: { from } },
      });
    await fork({ run_id: first.run.id, step: 1 });
    (await driver.session(1)).end();
    await fork({ run_id: first.run.id });
    (await driver.session(2)).end();
    await expect.poll(() => environments.restored).toEqual(["after 1", "after 2"]);
    const lost = await fork({ run_id: first.run.id, step: 7 });
    expect((await hub.ended(lost.run.id)).failure?.message).toContain(
      "no snapshot of step 7: there are those of 1, 2",
    );
  });
});

describe("the program of an agent", () => {
  it("runs in an environment when its address says so, with its workspace and nothing else to write to", async () => {
    const environments = places();
    const driver = createScriptedDriver();
    hub = await openTestHub({ driver, environments });
    const agent = { protocol: "atp", transport: "stdio", command: ["x"], environment: "bwrap" };
    const { run } = await hub.hub.submit({ agent, task: { description: "t" } });
    const session = await driver.session(0);
    expect(session.job.environment).toBeDefined();
    expect(environments.opened).toMatchObject([
      { role: "agent", readOnly: true, options: { kind: "bwrap", network: "none" } },
    ]);
    session.end();
    await hub.ended(run.id);
    await expect.poll(() => environments.destroyed).toEqual([`${run.id}-agent`]);
  });
});

describe("the model of a run", () => {
  it("has a key of its own that is never stored, and its calls are events with their cost", async () => {
    const asked: OpenModel[] = [];
    let closed = 0;
    const models: ModelHost = {
      open: async (request) => {
        asked.push(request);
        const endpoint = { url: "http://127.0.0.1:9/v1", port: 9, provider: "mock", model: "m" };
        return { ...endpoint, close: async () => void (closed += 1) };
      },
    };
    const driver = createScriptedDriver();
    hub = await openTestHub({ driver: { ...driver, needs: { model: true } }, models });
    const constraints = { budget_usd: 0.5 };
    const { run } = await hub.hub.submit({ agent: "atp+stdio:x", task: { description: "t" }, constraints });
    const session = await driver.session(0);
    const key = asked[0]?.key ?? "";
    expect(session.job.env).toEqual({
      LLM_API_URL: "http://127.0.0.1:9/v1",
      LLM_API_KEY: key,
      LLM_PROVIDER: "mock",
      LLM_MODEL: "m",
    });
    expect(asked[0]).toMatchObject({ runId: run.id, budgetUsd: 0.5 });
    await asked[0]?.onCall({
      model: "m",
      input_tokens: 5,
      output_tokens: 2,
      cost_usd: 0.1,
      observed: true,
      status: 200,
    });
    session.push({ kind: "event", event: { type: "reasoning", payload: { thought: `my key is ${key}` } } });
    session.end();
    const ended = await hub.ended(run.id);
    expect(ended.metrics).toMatchObject({ llm_calls: 1, input_tokens: 5, cost_usd: 0.1 });
    expect(closed).toBe(1);
    expect(JSON.stringify(await hub.log(run.id))).not.toContain(key);
  });

  it("is not given to agents where it is switched off", async () => {
    const models = { open: () => Promise.reject(new Error("nobody asked")) };
    const driver = createScriptedDriver();
    hub = await openTestHub({ driver: { ...driver, needs: { model: true } }, models });
    const { run } = await hub.hub.submit({
      agent: "atp+stdio:x",
      task: { description: "t" },
      options: { llm: { enabled: false } },
    });
    const session = await driver.session(0);
    expect(session.job.env).toEqual({});
    session.end();
    expect((await hub.ended(run.id)).status).toBe("completed");
  });
});
