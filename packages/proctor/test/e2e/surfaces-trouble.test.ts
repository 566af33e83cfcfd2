// The built hub and clients in trouble: connections that drop, hubs that are stopped or killed, and callers who may not.
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Metadata } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { findMarked } from "../../src/runtime/processes/strays.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import { mcpProgram } from "../support/doubles/mcp-program.ts";
import { openGrpcClient } from "../support/atp-clients.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { watchGrpc, watchSocket, watchSse, type Hub, type Watch } from "../support/live-clients.ts";
import { raiseSteppedAgent, type SteppedAgent } from "../support/stepped-agent.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { eventually } from "../support/eventually.ts";

const folder = temporaryFolder("surfaces");
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;

let agent: SteppedAgent;
let hub: HubProcess;
let doors: Hub;

async function startHub(env: Record<string, string> = {}, home = folder): Promise<HubProcess> {
  const started = await startHubProcess({
    folder: home,
    args: ["--grpc-port", "0"],
    env: { PROCTOR_GRACE_SECONDS: "1", ...env },
  });
  doors = doorsOf(started);
  return started;
}

function doorsOf({ url, output }: HubProcess): Hub {
  const [, grpcUrl = ""] = /grpc\s+(\S+)/.exec(output()) ?? [];
  return { url, grpcUrl };
}

beforeAll(async () => {
  agent = await raiseSteppedAgent();
  hub = await startHub();
  await hub.post("/agents", { name: "stepped", ...agent.spec });
  await hub.post("/agents", { name: "single", ...agent.spec, concurrency: 1 });
});

afterAll(async () => {
  expect(await hub.stop()).toBe(0);
  await agent.close();
});

/** A request that nobody else makes. */
function request(): { task_id: string; description: string; body: JsonObject } {
  const task_id = randomUUID();
  const description = `task ${task_id}`;
  return { task_id, description, body: { version: "1.0", task_id, task: { description } } };
}

async function runOf(description: string): Promise<Run> {
  const { items } = await hub.get<Page<Run>>("/runs?limit=100");
  const found = items.find(({ task }) => task.description === description);
  if (!found) throw new Error(`there is no run of "${description}"`);
  return found;
}

function cancelByGrpc(task_id: string): Promise<unknown> {
  const client = openGrpcClient(doors.grpcUrl);
  const metadata = new Metadata();
  metadata.set("atp-agent", "stepped");
  return new Promise((resolve, reject) => {
    client.Cancel({ task_id, reason: "enough" }, metadata, (error, answer) => {
      client.close();
      if (error) reject(error);
      else resolve(answer);
    });
  });
}

async function endOf(description: string): Promise<Run> {
  return hub.ended((await runOf(description)).id);
}

const steps = (events: readonly JsonObject[]): unknown[] =>
  events.map(({ payload }) => (payload as JsonObject)["current_step"]);
const upTo = (count: number, from = 0): number[] =>
  Array.from({ length: count - from }, (_, index) => from + index);

/** Who comes back to a task, and how. gRPC has no way to. */
const RETURNING: [string, Watch][] = [
  ["HTTP", watchSse],
  ["WebSocket", watchSocket],
];
const ALL: [string, Watch][] = [...RETURNING, ["gRPC", watchGrpc]];

describe.each(RETURNING)("a client over %s that drops", (_, watch) => {
  it("comes back with the last it has seen, and misses nothing and sees nothing twice", async () => {
    const { description, body } = request();
    const first = watch(doors, "stepped", body, { keep: true });
    const told = await agent.asked(description);
    await told.progress(3);
    await first.heard(3);
    first.leave();
    await first.ended;
    await told.progress(4);
    const second = watch(doors, "stepped", body, { keep: true, after: 1 });
    await second.heard(5);
    second.leave();
    const third = watch(doors, "stepped", body, { after: 6 });
    await told.progress(2);
    await told.complete();
    expect(await third.ended).toMatchObject({ response: { status: "completed", task_id: body["task_id"] } });
    expect(steps(first.events)).toEqual(upTo(3));
    expect(steps(second.events)).toEqual(upTo(7, 2));
    expect(steps(third.events)).toEqual(upTo(9, 7));
    // Long after the end there is still everything.
    const late = watch(doors, "stepped", body, { after: 0 });
    expect(await late.ended).toMatchObject({ response: { status: "completed" } });
    expect(steps(late.events)).toEqual(upTo(9, 1));
  });
});

describe.each(ALL)("a client over %s that leaves", (_, watch) => {
  it("cancels its task, and the agent is told", async () => {
    const { description, body } = request();
    const client = watch(doors, "stepped", body);
    const told = await agent.asked(description);
    await told.progress(1);
    await client.heard(1);
    client.leave();
    await told.stopped;
    expect(await endOf(description)).toMatchObject({ status: "cancelled", failure: { code: "CANCELLED" } });
  });

  it("does not, when it said so", async () => {
    const { description, body } = request();
    const client = watch(doors, "stepped", body, { keep: true });
    const told = await agent.asked(description);
    await told.progress(1);
    await client.heard(1);
    client.leave();
    await client.ended;
    await told.progress(2);
    await told.complete();
    const run = await endOf(description);
    expect(run).toMatchObject({ status: "completed", metrics: { total_steps: 1 } });
    expect((await hub.events(run.id)).filter(({ type }) => type === "progress")).toHaveLength(3);
  });
});

it.each<[string, (task_id: string) => Promise<unknown>]>([
  ["Cancel of gRPC", cancelByGrpc],
  ["the hub's own API", async (id) => hub.post(`/runs/${(await runOf(`task ${id}`)).id}/cancel`)],
])("a task cancelled by %s tells its agent, and its client gets the response", async (_, cancel) => {
  const { task_id, description, body } = request();
  const client = watchGrpc(doors, "stepped", body);
  const told = await agent.asked(description);
  await told.progress(1);
  await client.heard(1);
  await cancel(task_id);
  await told.stopped;
  expect(await client.ended).toMatchObject({ response: { status: "cancelled", task_id } });
});

describe("kill -9 of the hub while clients watch", () => {
  it("they come back to the next one, get what they had not seen, and are told the truth", async () => {
    const watching = ALL.map(([name, watch]) => {
      const { description, body } = request();
      return { name, watch, description, body, client: watch(doors, "stepped", body) };
    });
    const holding = request();
    const waiting = request();
    watchSocket(doors, "single", holding.body, { keep: true });
    await agent.asked(holding.description);
    watchSocket(doors, "single", waiting.body, { keep: true });
    for (const { description, client } of watching) {
      const told = await agent.asked(description);
      await told.progress(5);
      await client.heard(5);
    }
    await eventually(async () => expect((await runOf(waiting.description)).status).toBe("queued"));

    await hub.stop("SIGKILL");
    const endings = await Promise.all(watching.map(({ client }) => client.ended));
    expect(endings).toEqual([{ without: "cut" }, { without: 1006 }, { without: UNAVAILABLE }]);
    hub = await startHub();

    for (const { watch, body, client } of watching.slice(0, RETURNING.length)) {
      expect(steps(client.events)).toEqual(upTo(5));
      const again = watch(doors, "stepped", body, { after: 1 });
      expect(await again.ended).toMatchObject({
        response: { status: "failed", error_details: { code: "INTERRUPTED" } },
      });
      expect(again.events).toEqual(client.events.slice(2));
    }
    for (const { description } of watching) {
      expect(await runOf(description)).toMatchObject({ status: "failed", failure: { code: "INTERRUPTED" } });
    }
    // The run in front of it was closed; this one was only waiting, and goes on.
    const told = await agent.asked(waiting.description);
    const follower = watchSocket(doors, "single", waiting.body, { after: -1 });
    await told.progress(2);
    await told.complete();
    expect(await follower.ended).toMatchObject({ response: { status: "completed" } });
    expect(steps(follower.events)).toEqual(upTo(2));
  });

  it("sweeps the workspaces it left, but for those to keep, and kills the tools it left", async () => {
    const submit = async (options: object): Promise<[string, string]> => {
      const { description } = request();
      const { id } = await hub.post<Run>("/runs", { agent: "stepped", task: { description }, options });
      const told = await agent.asked(description);
      return [id, (told.request["context"] as { workspace_path: string }).workspace_path];
    };
    const [, passing] = await submit({});
    const [, kept] = await submit({ workspace: { keep: true } });
    // One that stays when its input ends.
    await submit({ tools: { tools: [], mcp: [mcpProgram({ env: { STUBBORN: "1" } })] } });
    const [hubId = ""] = readFileSync(join(folder, ".proctor/hub.id"), "utf8").split("\n");
    const tools = findMarked("PROCTOR_HUB_ID", hubId);
    if (process.platform === "linux") expect(tools).toHaveLength(1);
    expect([existsSync(passing), existsSync(kept)]).toEqual([true, true]);

    await hub.stop("SIGKILL");
    expect(existsSync(passing)).toBe(true);
    if (process.platform === "linux") expect(findMarked("PROCTOR_HUB_ID", hubId)).toEqual(tools);
    hub = await startHub();
    expect(findMarked("PROCTOR_HUB_ID", hubId)).toEqual([]);
    expect(readdirSync(join(folder, ".proctor/workspaces"))).toEqual([]);
    expect(existsSync(kept)).toBe(true);
  });
});

describe("a hub that is stopped while clients watch", () => {
  it("says so in each one's words, and they come back to the next", async () => {
    const watching = ALL.map(([, watch]) => {
      const { description, body } = request();
      return { watch, description, body, client: watch(doors, "stepped", body) };
    });
    for (const { description, client } of watching) {
      await (await agent.asked(description)).progress(2);
      await client.heard(2);
    }
    expect(await hub.stop()).toBe(0);
    const endings = await Promise.all(watching.map(({ client }) => client.ended));
    expect(endings).toEqual([{ without: "end" }, { without: 1001 }, { without: UNAVAILABLE }]);

    hub = await startHub();
    for (const { watch, body } of watching.slice(0, RETURNING.length)) {
      const again = watch(doors, "stepped", body, { after: 0 });
      expect(await again.ended).toMatchObject({
        response: { status: "failed", error_details: { code: "INTERRUPTED" } },
      });
      expect(steps(again.events)).toEqual([1]);
    }
    const { description } = watching[2]!;
    expect(await runOf(description)).toMatchObject({ status: "failed", failure: { code: "INTERRUPTED" } });
  });
});

describe("who may", () => {
  it("with a token: who holds it, on every surface; nobody else starts anything", async () => {
    const token = "a-long-random-token";
    const home = temporaryFolder("surfaces-token");
    const guarded = await startHub({ PROCTOR_TOKEN: token }, home);
    const there = doorsOf(guarded);
    doors = doorsOf(hub);
    await guarded.post("/agents", { name: "stepped", ...agent.spec });
    for (const [index, [, watch]] of ALL.entries()) {
      const refused = [401, 401, UNAUTHENTICATED][index];
      for (const terms of [{}, { token: "another-token" }, { token: "" }]) {
        expect(await watch(there, "stepped", request().body, terms).ended).toEqual({ without: refused });
      }
    }
    const plain = await guarded.send("POST", "/atp/stepped/execute", { json: request().body, token: null });
    expect(plain.status).toBe(401);
    expect((await guarded.get<Page<Run>>("/runs")).items).toEqual([]);
    for (const [, watch] of ALL) {
      const { description, body } = request();
      const client = watch(there, "stepped", body, { token });
      await (await agent.asked(description)).complete();
      expect(await client.ended).toMatchObject({ response: { status: "completed" } });
    }
    expect(await guarded.stop()).toBe(0);
  });

  it("from another site: nobody, on a WebSocket as elsewhere", async () => {
    const open = (origin: string): Promise<number | "open"> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${doors.url.replace("http", "ws")}/atp/stepped/ws`, "atp.v1", {
          origin,
        });
        socket.on("error", () => undefined);
        socket.on("unexpected-response", (_, response) => resolve(response.statusCode ?? 0));
        socket.on("open", () => {
          socket.terminate();
          resolve("open");
        });
      });
    expect(await open("https://elsewhere.example")).toBe(403);
    expect(await open("null")).toBe(403);
    expect(await open(doors.url)).toBe("open");
    const crossed = await hub.send("POST", "/atp/stepped/execute", {
      json: request().body,
      headers: { origin: "https://elsewhere.example" },
    });
    expect(crossed.status).toBe(403);
  });
});
