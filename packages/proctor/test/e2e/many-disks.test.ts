// Two workers of the built program, one with the database and one with a hub in place of it, each on a small disk that gets full.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Run } from "../../src/core/run.ts";
import type { Worker } from "../../src/core/worker.ts";
import { openSmallDisk, type SmallDisk } from "../support/chaos/small-disk.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { createDatabase, lacksPostgres } from "../support/postgres.ts";
import { runProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fixture } from "../support/test-hub.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";

const TOKEN = "operator-of-these-tests";
const task = { description: "do it" };
const disks = { database: openSmallDisk("disk-one"), http: openSmallDisk("disk-two") };
const lacksDisks = disks.database === undefined || disks.http === undefined;

describe.skipIf(lacksDisks || (await lacksPostgres("full disks of workers")))(
  "a worker whose disk is full",
  () => {
    const folder = temporaryFolder("disks");
    const workers = new Map<string, WorkerProcess>();
    let env: Record<string, string>;
    let hub: HubProcess;

    const submit = (more: object = {}): Promise<Run> =>
      hub.post<Run>("/runs", { agent: fixture("file-artifact"), task, ...more });
    const workerOf = async (id: string): Promise<unknown> =>
      (await hub.events(id)).findLast(({ type }) => type === "run.started")?.payload;

    beforeAll(async () => {
      env = {
        DATABASE_URL: await createDatabase(),
        SEAL_KEY: randomBytes(32).toString("base64"),
        PROCTOR_TOKEN: TOKEN,
      };
      hub = await startHubProcess({ folder, env, args: ["--concurrency", "0"] });
      const { secret } = await hub.post<{ secret: string }>("/tokens", { name: "w", scopes: ["workers"] });
      const start = async (name: keyof typeof disks, own: Record<string, string>): Promise<void> => {
        const args = ["--concurrency", "4", "--labels", name];
        const place = disks[name]?.folder ?? "";
        workers.set(name, await startWorkerProcess({ folder: place, env: own, args }));
      };
      await start("database", { ...env, ARTIFACTS_DIR: `${folder}/artifacts` });
      await start("http", { PROCTOR_URL: hub.url, PROCTOR_TOKEN: secret });
    }, HANG_MS);

    afterAll(async () => {
      for (const worker of workers.values()) await worker.stop();
      await hub.stop();
      for (const disk of Object.values(disks)) disk?.close();
    }, HANG_MS);

    const show = async (name: string): Promise<Worker> => {
      const { items } = await hub.get<{ items: Worker[] }>("/workers");
      const found = items.find(({ labels }) => labels.includes(name));
      if (found === undefined) throw new Error(`there is no worker ${name}`);
      return found;
    };

    it.each([
      ["with the database", "database", "http"],
      ["over HTTP", "http", "database"],
    ] as const)(
      "%s fails no run, leaves them to others, says so, and takes them again when there is room",
      { timeout: HANG_MS },
      async (_name, full, other) => {
        const disk: SmallDisk | undefined = disks[full];
        disk?.fill();
        const many = await Promise.all(Array.from({ length: 8 }, () => submit()));
        const own = await submit({ options: { requires: [full] } });
        for (const { id } of many) {
          expect(await hub.ended(id)).toMatchObject({ status: "completed" });
          expect(await workerOf(id)).toEqual({ worker: (await show(other)).id });
        }
        await eventually(async () => expect((await show(full)).no_room).toMatch(/^no room in /));
        expect(await show(other)).not.toHaveProperty("no_room");
        const listed = await runProgram(["workers", "list"], { folder, env });
        expect(listed.stdout).toContain("disk full");
        expect(workers.get(full)?.output()).toContain("no run is taken until there is room");
        expect(await hub.get<Run>(`/runs/${own.id}`)).toMatchObject({ status: "queued", failure: null });
        disk?.clear();
        expect(await hub.ended(own.id)).toMatchObject({ status: "completed" });
        expect(await workerOf(own.id)).toEqual({ worker: (await show(full)).id });
        await eventually(async () => expect(await show(full)).not.toHaveProperty("no_room"));
      },
    );
  },
);
