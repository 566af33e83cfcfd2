// How the built hub asks agents that do not beat: over WebSocket, over gRPC, by a task; and which private addresses agents may have.
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RegisteredAgent } from "../../src/core/registration.ts";
import type { Run } from "../../src/core/run.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const agentFile = (name: string) => fileURLToPath(new URL(`../fixtures/agents/${name}.mjs`, import.meta.url));

let hub: HubProcess;
let grpc = "";

beforeAll(async () => {
  const args = ["--grpc-port", "0", "--probe-seconds", "1"];
  hub = await startHubProcess({ folder: temporaryFolder("registry-probes"), args });
  [, grpc = ""] = /grpc\s+(\S+)/.exec(hub.output()) ?? [];
  for (const name of ["ok", "fails"]) {
    const json = { address: `atp+stdio:${process.execPath} ${agentFile(name)}` };
    expect((await hub.send("PUT", `/agents/${name}`, { json })).ok).toBe(true);
  }
}, HANG_MS);
afterAll(() => hub.stop());

const socketOf = (agent: string) => `atp+${hub.url.replace("http", "ws")}/atp/${agent}/ws`;

function register(name: string, endpoint: string, metadata = {}): Promise<unknown> {
  return hub.post("/registry/agents", { name, endpoint, probe: true, metadata });
}

function healthOf(name: string, state: string): Promise<RegisteredAgent["health"]> {
  return eventually(async () => {
    const { health } = await hub.get<RegisteredAgent>(`/registry/agents/${name}`);
    expect(health.state).toBe(state);
    return health;
  });
}

describe("the probes of a hub", { timeout: HANG_MS }, () => {
  it("reach an agent over WebSocket and over gRPC, and tell one that is gone", async () => {
    await register("socket", socketOf("ok"));
    const url = `grpc://${grpc.replace(/^.*\/\//, "")}`;
    const spec = { protocol: "atp", transport: "grpc", url, headers: { "atp-agent": "ok" } };
    await hub.post("/registry/agents", { name: "grpc", spec, probe: true });
    await register("gone-socket", "atp+ws://127.0.0.1:9/ws");
    await register("gone-grpc", "atp+grpc://127.0.0.1:9");
    await healthOf("socket", "online");
    await healthOf("grpc", "online");
    for (const name of ["gone-socket", "gone-grpc"]) {
      expect((await healthOf(name, "offline")).trouble).toMatch(/ECONNREFUSED|refused/i);
    }
  });

  it("have an agent do its probe_task, and tell why it could not", async () => {
    await register("does", socketOf("ok"), { probe_task: "are you there?" });
    await register("does-not", socketOf("fails"), { probe_task: "are you there?" });
    await healthOf("does", "online");
    expect((await healthOf("does-not", "offline")).trouble).toMatch(/\w/);
    const { items } = await hub.get<{ items: Run[] }>("/runs?agent=does&limit=1");
    expect(items[0]).toMatchObject({ task: { description: "are you there?" }, metadata: { probe: true } });
  });
});

describe("agents of a hub that others can reach", { timeout: HANG_MS }, () => {
  // This machine alone, by a name of it that the hub does not take for that: what it is bound to is what counts.
  const args = ["--host", "::ffff:127.0.0.1"];
  const env = { PROCTOR_TOKEN: "a-long-and-random-text-for-this-test" };
  const asked = { name: "near", endpoint: "rest+http://127.0.0.1:9/", probe: true };

  it("are not registered at a private address unless agent_hosts names it", async () => {
    const closed = await startHubProcess({ folder: temporaryFolder("agent-hosts"), args, env });
    const refused = await closed.send("POST", "/registry/agents", { json: asked });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toMatch(/PROCTOR_AGENT_HOSTS/);
    await closed.stop();
    const allowing = { ...env, PROCTOR_AGENT_HOSTS: "127.0.0.1:9" };
    const open = await startHubProcess({ folder: temporaryFolder("agent-hosts"), args, env: allowing });
    expect((await open.send("POST", "/registry/agents", { json: asked })).status).toBe(201);
    const elsewhere = { ...asked, name: "other", endpoint: "rest+http://127.0.0.1:10/" };
    expect((await open.send("POST", "/registry/agents", { json: elsewhere })).status).toBe(403);
    await open.stop();
  });
});
