// Three machines in network namespaces: the database and the API server on one, a worker with the database and a worker over HTTP on the others,
// whose links are cut during a run.
import { randomBytes } from "node:crypto";
import { createServer, connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import type { Worker } from "../../src/core/worker.ts";
import { openMachines } from "../support/chaos/machines.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { createDatabase, lacksPostgres } from "../support/postgres.ts";
import { startProgram, type StartedProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { shellFixture } from "../support/test-hub.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";

const TOKEN = "operator-of-these-tests";
const DATABASE_PORT = 5432;
const API_PORT = 3001;
const FORWARD = fileURLToPath(new URL("../support/chaos/forward.mjs", import.meta.url));
const task = { description: "do it" };
/** Says something every few milliseconds until it is stopped. */
const talkative = shellFixture("pausable", "100000");

const machines = (await lacksPostgres("machines in network namespaces")) ? undefined : openMachines(2);

describe.skipIf(machines === undefined)("machines in network namespaces", { timeout: HANG_MS }, () => {
  const folder = temporaryFolder("networks");
  const sockets = { database: join(folder, "database.sock"), api: join(folder, "api.sock") };
  const workers = new Map<string, WorkerProcess>();
  const closing: (() => Promise<unknown>)[] = [];
  const [one, two] = machines?.others ?? [];
  let hub: HubProcess;
  /** The API as the test reaches it, from outside. */
  let api: string;

  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${api}${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }

  const events = async (id: string): Promise<RunEvent[]> =>
    (await ask<Page<RunEvent>>("GET", `/runs/${id}/events?last=1000`)).items;
  const ended = (id: string): Promise<Run> =>
    eventually(async () => {
      const run = await ask<Run>("GET", `/runs/${id}`);
      expect(run.ended_at).not.toBeNull();
      return run;
    });

  /** Listens where the test says, and passes on to there. */
  async function pass(
    listen: object,
    to: { path: string } | { host: string; port: number },
  ): Promise<number> {
    const server = createServer((incoming) => {
      const outgoing = connect(to);
      for (const socket of [incoming, outgoing]) socket.on("error", () => undefined);
      incoming.on("close", () => outgoing.destroy());
      outgoing.on("close", () => incoming.destroy());
      incoming.pipe(outgoing).pipe(incoming);
    });
    await new Promise<void>((resolve) => void server.listen(listen, resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const address = server.address();
    return address !== null && typeof address === "object" ? address.port : 0;
  }

  beforeAll(async () => {
    if (machines === undefined || one === undefined || two === undefined) return;
    const url = new URL(await createDatabase());
    await pass({ path: sockets.database }, { host: url.hostname, port: Number(url.port) });
    const at = (host: string): string => {
      const there = new URL(url);
      there.host = `${host}:${DATABASE_PORT}`;
      return there.href;
    };
    const forward: StartedProgram = startProgram(
      [
        [`127.0.0.1:${DATABASE_PORT}`, sockets.database],
        [`${one.first}:${DATABASE_PORT}`, sockets.database],
        [sockets.api, `127.0.0.1:${API_PORT}`],
      ].flat(),
      { folder, machine: machines.first, start: [FORWARD] },
    );
    await forward.printed(/passes on/);
    closing.unshift(async () => {
      forward.child.kill("SIGKILL");
      await forward.ended;
    });
    const shared = {
      SEAL_KEY: randomBytes(32).toString("base64"),
      PROCTOR_TOKEN: TOKEN,
      PROCTOR_GRACE_SECONDS: "1",
    };
    hub = await startHubProcess({
      folder,
      machine: machines.first,
      env: { ...shared, DATABASE_URL: at("127.0.0.1") },
      args: ["--host", "0.0.0.0", "--port", String(API_PORT), "--concurrency", "0"],
    });
    api = `http://127.0.0.1:${await pass({ port: 0, host: "127.0.0.1" }, { path: sockets.api })}`;
    const { secret } = await ask<{ secret: string }>("POST", "/tokens", { name: "w", scopes: ["workers"] });
    const start = async (name: string, machine: string, env: Record<string, string>, ...more: string[]) => {
      const args = ["--concurrency", "2", "--labels", name, ...more];
      workers.set(name, await startWorkerProcess({ folder: temporaryFolder(name), machine, env, args }));
    };
    await start("database", one.name, { ...shared, DATABASE_URL: at(one.first) });
    const hubUrl = `http://${two.first}:${API_PORT}`;
    await start("http", two.name, { PROCTOR_URL: hubUrl, PROCTOR_TOKEN: secret }, "--allow-http");
  }, HANG_MS);

  afterAll(async () => {
    for (const worker of workers.values()) await worker.stop();
    await hub?.stop();
    for (const close of closing) await close();
    machines?.close();
  }, HANG_MS);

  it.each([
    ["the database", "database", one],
    ["a hub", "http", two],
  ] as const)(
    "give away the runs of a worker that cannot reach %s, and refuse what it writes when it is back",
    async (_what, name, machine) => {
      const submit = (agent: object): Promise<Run> =>
        ask<Run>("POST", "/runs", { agent, task, options: { requires: [name] } });
      const run = await submit(talkative);
      await eventually(async () => {
        expect((await events(run.id)).map(({ type }) => type)).toContain("progress");
      });
      machine?.cut();
      // Nobody told the others that it is gone.
      expect(await ended(run.id)).toMatchObject({ status: "failed", failure: { code: "INTERRUPTED" } });
      const before = await events(run.id);
      machine?.join();
      // It finds out, stops its agent, and works on.
      const next = await submit(shellFixture("ok"));
      expect(await ended(next.id)).toMatchObject({ status: "completed" });
      await eventually(async () => {
        const { items } = await ask<Page<Worker>>("GET", "/workers");
        const found = items.find(({ labels, alive }) => labels.includes(name) && alive);
        expect(found?.busy).toBe(0);
      });
      expect(await events(run.id)).toEqual(before);
      expect(before.filter(({ type }) => type === "run.ended")).toHaveLength(1);
      expect(before.at(-1)?.type).toBe("run.ended");
    },
  );
});
