// Script tools and MCP servers as agents, through the built hub: found by their capabilities, run, cancelled, and reached by envelopes. The
// hub's own /mcp is the MCP server.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Artifact } from "../../src/core/artifact.ts";
import type { Envelope } from "../../src/core/envelope.ts";
import type { Json } from "../../src/core/json.ts";
import type { Registered, SearchResult } from "../../src/core/registration.ts";
import type { Run } from "../../src/core/run.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("tools-as-agents");
let hub: HubProcess;

const TOOLS = {
  add: {
    source: "const run = ({ a, b }) => { if (a === 13) throw new Error('unlucky'); return { sum: a + b } }",
    parameters: { type: "object", required: ["a", "b"], properties: { a: { type: "number" } } },
    returns: { type: "object", required: ["sum"], properties: { sum: { type: "number" } } },
  },
  spin: {
    source: "const run = () => { while (true) {} }",
    parameters: { type: "object" },
    limits: { time_ms: 30_000 },
  },
};

beforeAll(async () => {
  hub = await startHubProcess({ folder });
  for (const [name, tool] of Object.entries(TOOLS)) {
    await hub.send("PUT", `/script-tools/${name}`, { json: { language: "javascript", ...tool } });
  }
}, HANG_MS);
afterAll(() => hub.stop());

const inputOf = (a: number) => ({ description: "add", input_data: { a, b: 2 } });

async function submit(agent: string, task: object, capability?: string): Promise<Run> {
  const options = capability === undefined ? {} : { options: { capability } };
  return hub.post<Run>("/runs", { agent, task, ...options });
}

async function outputOf({ id }: Run): Promise<Json | undefined> {
  const { artifacts } = await hub.get<{ artifacts: Artifact[] }>(`/runs/${id}`);
  const [result] = artifacts.flatMap((artifact) => (artifact.type === "structured" ? [artifact.data] : []));
  return result;
}

describe("a script tool of a hub", { timeout: HANG_MS }, () => {
  it("is found by its capability and runs as the agent that was found", async () => {
    const { matches } = await hub.post<SearchResult>("/registry/search", {
      capability: "add",
      input: { a: 1, b: 2 },
    });
    expect(matches[0]?.agent.name).toBe("script-tool:add");
    const run = await submit(matches[0]?.agent.name ?? "", inputOf(1), "add");
    expect(await hub.ended(run.id)).toMatchObject({ status: "completed", violations: [] });
    expect(await outputOf(run)).toEqual({ sum: 3 });
  });

  it("runs without a capability, and fails with its own words", async () => {
    const run = await submit("script-tool:add", inputOf(13));
    expect(await hub.ended(run.id)).toMatchObject({
      status: "failed",
      failure: { code: "AGENT_FAILED", message: expect.stringMatching(/unlucky/) as string },
    });
  });

  it("is not run with an input that does not fit, nor for a capability that it lacks", async () => {
    const task = { description: "add", input_data: { a: "one" } };
    const wrong = [
      { agent: "script-tool:add", task, options: { capability: "add" } },
      { agent: "script-tool:add", task: inputOf(1), options: { capability: "fly" } },
    ];
    for (const json of wrong) expect((await hub.send("POST", "/runs", { json })).status).toBe(400);
  });

  it("stops when its run is cancelled", async () => {
    const { id } = await submit("script-tool:spin", { description: "spin" });
    await hub.until(id, ({ type }) => type === "run.started");
    await hub.post(`/runs/${id}/cancel`);
    expect(await hub.ended(id)).toMatchObject({ status: "cancelled" });
  });

  it("carries out an envelope to its capability", async () => {
    const payload = { task: "add", input_data: { a: 40, b: 2 } };
    const sent = {
      id: "e1",
      from: "user:ada",
      to: "capability:add",
      type: "request",
      action: "execute",
      payload,
    };
    await hub.send("POST", "/messages", { json: sent });
    await eventually(async () => {
      const { items } = await hub.get<{ items: Run[] }>("/runs?agent=script-tool%3Aadd&limit=1");
      expect(items[0]).toMatchObject({ status: "completed", options: { capability: "add" } });
    });
    const heard: Envelope[] = [];
    await eventually(async () => {
      const { items } = await hub.get<{ items: { envelope: Envelope }[] }>("/messages?for=user%3Aada");
      heard.push(...items.map(({ envelope }) => envelope));
      expect(heard.at(-1)).toMatchObject({ from: "script-tool:add", type: "response", inReplyTo: "e1" });
    });
  });

  it("runs from the command line", async () => {
    const { stdout, code } = await runCommand(
      ["run", "-a", "script-tool:add", "-t", "add", "-i", "-", "--json"],
      {
        folder,
        input: '{"a":1,"b":1}',
      },
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: "completed", artifacts: [{ data: { sum: 2 } }] });
  });
});

describe("an MCP server that is registered by its URL", { timeout: HANG_MS }, () => {
  it("is given runs that name one of its tools, whose output is held to what it returns", async () => {
    const registered = await hub.post<Registered>("/registry/agents", {
      name: "sums",
      endpoint: `${hub.url}/mcp`,
    });
    expect(registered.agent).toMatchObject({ address: `mcp+${hub.url}/mcp`, kind: "probed" });
    await eventually(async () => {
      const { health } = await hub.get<Registered["agent"]>("/registry/agents/sums");
      expect(health.state).toBe("online");
    });
    const run = await submit("sums", inputOf(1), "add");
    expect(await hub.ended(run.id)).toMatchObject({ status: "completed", violations: [] });
    expect(await outputOf(run)).toEqual({ sum: 3 });
    const failed = await submit("sums", inputOf(13), "add");
    expect(await hub.ended(failed.id)).toMatchObject({ failure: { code: "AGENT_FAILED" } });
  });

  it("fails a run that names none of its tools", async () => {
    const run = await submit("sums", inputOf(1));
    expect(await hub.ended(run.id)).toMatchObject({ failure: { code: "INVALID_REQUEST" } });
  });
});
