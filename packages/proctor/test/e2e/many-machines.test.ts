// Two API servers and two workers of the built program on one PostgreSQL database.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import type { Worker } from "../../src/core/worker.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { createDatabase, lacksPostgres } from "../support/postgres.ts";
import { runProgram } from "../support/program.ts";
import { TALKING_START } from "../support/cli/terminal-program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { shellFixture } from "../support/test-hub.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";

const task = { description: "do it" };
const sleeps = shellFixture("sleeps");

describe.skipIf(await lacksPostgres("many machines"))("many machines", { timeout: HANG_MS }, () => {
  const folders = { api: temporaryFolder("api"), one: temporaryFolder("one"), two: temporaryFolder("two") };
  let env: Record<string, string>;
  let first: HubProcess;
  let second: HubProcess;
  const workers = new Map<string, WorkerProcess>();

  const startWorker = async (name: "one" | "two"): Promise<WorkerProcess> => {
    const args = ["--concurrency", "4", "--labels", name];
    const worker = await startWorkerProcess({ folder: folders[name], env, args, start: TALKING_START });
    workers.set(name, worker);
    return worker;
  };
  const one = (): WorkerProcess => known("one");
  const two = (): WorkerProcess => known("two");
  const known = (name: string): WorkerProcess => {
    const worker = workers.get(name);
    if (worker === undefined) throw new Error(`there is no worker ${name}`);
    return worker;
  };
  /** A run that is at work on this worker. */
  const sleeping = async (name: string, more: object = {}): Promise<Run> => {
    const run = await first.post<Run>("/runs", {
      agent: sleeps,
      task,
      ...more,
      options: { requires: [name] },
    });
    await second.until(run.id, ({ type }) => type === "progress");
    return run;
  };
  const workerOf = (log: readonly RunEvent[]): unknown =>
    log.find(({ type }) => type === "run.started")?.payload;

  beforeAll(async () => {
    env = {
      DATABASE_URL: await createDatabase(),
      SEAL_KEY: randomBytes(32).toString("base64"),
      PROCTOR_GRACE_SECONDS: "1",
      PROCTOR_CONCURRENCY: "0",
    };
    [first, second] = await Promise.all([
      startHubProcess({ folder: folders.api, env, start: TALKING_START }),
      startHubProcess({ folder: folders.api, env, start: TALKING_START }),
    ]);
    await Promise.all([startWorker("one"), startWorker("two")]);
  }, HANG_MS);

  afterAll(async () => {
    for (const worker of workers.values()) await worker.stop();
    await Promise.all([first.stop(), second.stop()]);
  }, HANG_MS);

  it("carry out a run where its labels say, and show it at every door", async () => {
    const { id } = await first.post<Run>("/runs", {
      agent: shellFixture("ok"),
      task,
      options: { requires: ["two"] },
    });
    expect(await second.ended(id)).toMatchObject({ status: "completed" });
    const log = await second.events(id);
    expect(workerOf(log)).toEqual({ worker: two().id });
    expect(log).toEqual(await first.events(id));
  });

  it("list their workers, over HTTP and on the command line", async () => {
    const { items } = await second.get<Page<Worker>>("/workers");
    const shown = items.filter(({ slots }) => slots > 0).map(({ id, labels }) => [id, ...labels].join(" "));
    expect(shown.toSorted()).toEqual([`${one().id} one`, `${two().id} two`].toSorted());
    const { stdout } = await runProgram(["workers", "list"], { folder: folders.api, env });
    expect(stdout).toContain(one().id);
    const missing = await second.send("GET", "/workers/nobody:1");
    expect(missing.status).toBe(404);
  });

  it("stop a run from any door", async () => {
    const { id } = await sleeping("one");
    await second.post(`/runs/${id}/cancel`);
    const { failure, ended_at } = await first.ended(id);
    expect(failure).toMatchObject({ code: "CANCELLED" });
    const asked = (await first.events(id)).find(({ type }) => type === "run.cancel_requested");
    console.log(
      `cancelled elsewhere within ${Date.parse(ended_at ?? "") - Date.parse(asked?.timestamp ?? "")} ms`,
    );
  });

  it("say something to a run and answer it from any door", async () => {
    const { id } = await first.post<Run>("/runs", {
      agent: "talk+builtin:agent",
      task: { description: "say Hello\nwait\nask Which colour?" },
      options: { requires: ["two"], conversation: {} },
    });
    const hears = async (text: string): Promise<void> => {
      await first.until(id, (event) => JSON.stringify(event.payload).includes(`I heard ${text}`));
    };
    await first.until(id, (event) => JSON.stringify(event.payload).includes("Hello"));
    await second.post(`/runs/${id}/messages`, { text: "good morning" });
    await hears("good morning");
    await first.until(id, ({ type }) => type === "question.asked");
    await second.post(`/runs/${id}/answers`, { question_id: "ask3", text: "dark blue" });
    await hears("dark blue");
    expect(await first.ended(id)).toMatchObject({ status: "completed" });
    expect(workerOf(await first.events(id))).toEqual({ worker: two().id });
  });

  it("pause and resume a run from any door", async () => {
    const { id } = await first.post<Run>("/runs", {
      agent: shellFixture("pausable", "1000"),
      task,
      options: { requires: ["one"] },
    });
    await first.until(id, ({ type }) => type === "progress");
    expect(await second.post<Run>(`/runs/${id}/pause`)).toMatchObject({ status: "paused" });
    expect(await first.get<Run>(`/runs/${id}`)).toMatchObject({ status: "paused" });
    expect(await second.post<Run>(`/runs/${id}/resume`)).toMatchObject({ status: "running" });
    const { sequence } = await first.until(id, ({ type }) => type === "run.resumed");
    await first.until(id, (event) => event.type === "progress" && event.sequence > sequence);
    await second.post(`/runs/${id}/cancel`);
    expect(await first.ended(id)).toMatchObject({ status: "cancelled" });
  });

  it("conclude the runs of a worker that was killed, and retry those that may be", async () => {
    const retry = { max_attempts: 2, initial_delay_ms: 0 };
    // Any worker may conclude it, though none but this one may carry it out.
    const plain = await first.post<Run>("/runs", { agent: sleeps, task });
    const again = await first.post<Run>("/runs", { agent: { ...sleeps }, task, retry });
    for (const { id } of [plain, again]) await second.until(id, ({ type }) => type === "progress");
    const owners = new Map<string, string>();
    for (const { id } of [plain, again]) {
      const payload = workerOf(await first.events(id)) as { worker: string };
      owners.set(id, payload.worker);
    }
    const victim = owners.get(plain.id) === one().id ? "one" : "two";
    const killed = known(victim);
    expect(await killed.stop("SIGKILL")).toBeNull();
    expect(await first.ended(plain.id)).toMatchObject({
      status: "failed",
      failure: { code: "INTERRUPTED" },
    });
    // It starts again where it was, and ends what it left running there.
    await startWorker(victim);
    if (owners.get(again.id) === killed.id) {
      const { retried_as } = await first.ended(again.id);
      expect(retried_as).not.toBeNull();
      await second.until(retried_as ?? "", ({ type }) => type === "progress");
      await first.post(`/runs/${retried_as}/cancel`);
      expect(await second.ended(retried_as ?? "")).toMatchObject({ status: "cancelled" });
    } else await first.post(`/runs/${again.id}/cancel`);
    const all = await second.get<Page<Run>>("/runs?status=running");
    expect(all.items.filter(({ id }) => id === plain.id)).toEqual([]);
  });

  it("refuse what a worker writes that was stopped for too long", async () => {
    const stopped = two();
    const run = await first.post<Run>("/runs", { agent: sleeps, task, options: { requires: ["two"] } });
    await second.until(run.id, ({ type }) => type === "progress");
    stopped.signal("SIGSTOP");
    // Nobody else has the label, and anybody may conclude it.
    const { failure } = await first.ended(run.id);
    expect(failure).toMatchObject({ code: "INTERRUPTED" });
    const before = await first.events(run.id);
    stopped.signal("SIGCONT");
    // It finds out at its next heartbeat: it works on, and has nothing in flight.
    await eventually(async () => {
      const { busy, alive } = await second.get<Worker>(`/workers/${encodeURIComponent(stopped.id)}`);
      expect({ busy, alive }).toEqual({ busy: 0, alive: true });
    });
    expect(await second.events(run.id)).toEqual(before);
    expect(before.filter(({ type }) => type === "run.ended")).toHaveLength(1);
  });

  it("let a worker end when its runs have, and end its runs honestly when it must end now", async () => {
    const leaving = one();
    const { id } = await sleeping("one");
    expect(await leaving.stop("SIGTERM")).toBe(0);
    expect(await first.ended(id)).toMatchObject({ status: "failed", failure: { code: "INTERRUPTED" } });
    workers.delete("one");

    await second.post(`/workers/${encodeURIComponent(two().id)}/drain`);
    expect(await two().ended).toBe(0);
    workers.delete("two");
    // The worker that was killed above counts as alive until half a minute after its last sign of life.
    await eventually(async () => {
      const { items } = await second.get<Page<Worker>>("/workers");
      expect(items.filter(({ slots, alive }) => slots > 0 && alive)).toEqual([]);
    });
    const refused = await runProgram(["run", "--agent", "atp+stdio:true", "--task", "x"], {
      folder: folders.one,
      env,
    });
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain("no worker carries out");
  });
});
