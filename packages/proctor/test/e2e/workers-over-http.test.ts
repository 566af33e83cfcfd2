// Two API servers of the built program on one PostgreSQL database, and two workers that know nothing of it: they have a hub and a token.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import type { Worker } from "../../src/core/worker.ts";
import { openTcpProxy, type TcpProxy } from "../support/chaos/tcp-proxy.ts";
import { TALKING_START } from "../support/cli/terminal-program.ts";
import { eventually, HANG_MS } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { createDatabase, lacksPostgres } from "../support/postgres.ts";
import { runProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fixture, shellFixture } from "../support/test-hub.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";

const OPERATOR = "operator-of-these-tests";
const task = { description: "do it" };
const sleeps = shellFixture("sleeps");
/** What a report says of verdicts, and nothing of times and ids. */
const SAME = /^(?:|\d+|cases|test_id|agent|outcome|checks|type|runs|status|score|code)$/;

describe.skipIf(await lacksPostgres("workers over HTTP"))("workers over HTTP", { timeout: HANG_MS }, () => {
  const folders = { api: temporaryFolder("api"), one: temporaryFolder("one"), two: temporaryFolder("two") };
  let env: Record<string, string>;
  let first: HubProcess;
  let second: HubProcess;
  /** Stands before the API servers, as a balancer does. */
  let balancer: TcpProxy;
  const workers = new Map<string, WorkerProcess>();

  const startApi = (): Promise<HubProcess> =>
    startHubProcess({ folder: folders.api, env, start: TALKING_START });
  const issue = async (scopes: string[]): Promise<{ id: string; secret: string }> => {
    const { token, secret } = await first.post<{ token: { id: string }; secret: string }>("/tokens", {
      name: scopes.join(" "),
      scopes,
    });
    return { id: token.id, secret };
  };
  const startWorker = async (name: "one" | "two", secret?: string): Promise<WorkerProcess> => {
    const token = secret ?? (await issue(["workers"])).secret;
    const worker = await startWorkerProcess({
      folder: folders[name],
      env: {
        PROCTOR_URL: `http://127.0.0.1:${balancer.port}`,
        PROCTOR_TOKEN: token,
        PROCTOR_GRACE_SECONDS: "1",
      },
      args: ["--concurrency", "4", "--labels", name],
      start: TALKING_START,
    });
    workers.set(name, worker);
    return worker;
  };
  const known = (name: string): WorkerProcess => {
    const worker = workers.get(name);
    if (worker === undefined) throw new Error(`there is no worker ${name}`);
    return worker;
  };
  const submit = (name: string, body: object): Promise<Run> =>
    second.post<Run>("/runs", { task, ...body, options: { requires: [name], ...optionsOf(body) } });
  /** A run that is at work on this worker. */
  const sleeping = async (name: string, more: object = {}): Promise<Run> => {
    const run = await submit(name, { agent: sleeps, ...more });
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
      PROCTOR_TOKEN: OPERATOR,
    };
    [first, second] = await Promise.all([startApi(), startApi()]);
    balancer = await openTcpProxy({ host: "127.0.0.1", port: Number(new URL(first.url).port) });
    await Promise.all([startWorker("one"), startWorker("two")]);
  }, HANG_MS);

  afterAll(async () => {
    for (const worker of workers.values()) await worker.stop();
    await Promise.all([first.stop(), second.stop()]);
    await balancer.close();
  }, HANG_MS);

  it("carry out a run with its tools, its secrets, its files and its artifacts", async () => {
    const run = await second.post<Run>("/runs?start=false", {
      agent: fixture("calls-tool"),
      task,
      context: { environment: { API_KEY: "a very secret key" } },
      options: {
        requires: ["two"],
        tools: { tools: [{ name: "search", default: { output: { hits: 3 } } }] },
      },
    });
    const given = await second.send("POST", `/runs/${run.id}/artifacts?file_name=given.txt`, {
      body: "from a client",
      headers: { "content-type": "text/plain" },
    });
    expect(given.status).toBe(201);
    await second.post(`/runs/${run.id}/start`);
    const ended = await second.ended(run.id);
    expect(ended).toMatchObject({ status: "completed" });
    const log = await second.events(run.id);
    expect(workerOf(log)).toEqual({ worker: known("two").id });
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index));
    expect(log.find(({ type }) => type === "tool.called")?.payload).toMatchObject({ tool: "search" });
    const result = ended.artifacts.find(({ type }) => type === "structured");
    expect(result).toMatchObject({ data: { output: { secretLength: 17, given: "from a client" } } });
    // It reached the agent, and neither the log nor the store.
    expect(JSON.stringify(log)).not.toContain("a very secret key");
    expect(known("two").output()).not.toContain("a very secret key");

    const { id } = await submit("one", { agent: fixture("file-artifact") });
    const { artifacts } = await second.ended(id);
    const file = artifacts.find(({ type }) => type === "file");
    const content = await second.send("GET", `/runs/${id}/artifacts/${file?.id}/content`);
    expect(await content.text()).toContain("# Report");
  });

  it("are listed as those that have no database, and can be drained by name only", async () => {
    const { items } = await first.get<Page<Worker>>("/workers");
    const shown = items.filter(({ slots }) => slots > 0);
    expect(shown.map(({ id, over }) => `${id} ${over}`).toSorted()).toEqual(
      [known("one"), known("two")].map(({ id }) => `${id} http`).toSorted(),
    );
  });

  it("do what is said to their runs at any door", async () => {
    const { id } = await submit("two", {
      agent: "talk+builtin:agent",
      task: { description: "say Hello\nwait\nask Which colour?" },
      options: { conversation: {} },
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

    const paused = await submit("one", { agent: shellFixture("pausable", "1000") });
    await first.until(paused.id, ({ type }) => type === "progress");
    expect(await second.post<Run>(`/runs/${paused.id}/pause`)).toMatchObject({ status: "paused" });
    expect(await first.post<Run>(`/runs/${paused.id}/resume`)).toMatchObject({ status: "running" });
    await second.post(`/runs/${paused.id}/cancel`);
    const cancelled = await first.ended(paused.id);
    expect(cancelled).toMatchObject({ status: "cancelled", failure: { code: "CANCELLED" } });
  });

  it("keep their runs while the API server that they talk to is killed and another takes over", async () => {
    const { id } = await sleeping("one");
    const many = await Promise.all(
      Array.from({ length: 3 }, () => submit("two", { agent: fixture("steps", "20") })),
    );
    expect(await first.stop("SIGKILL")).toBeNull();
    balancer.lead({ host: "127.0.0.1", port: Number(new URL(second.url).port) });
    for (const run of many) {
      expect(await second.ended(run.id)).toMatchObject({ status: "completed" });
      const log = await second.events(run.id);
      expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index));
    }
    // Longer than a worker may be silent: it found the other server in time.
    await second.post(`/runs/${id}/cancel`);
    expect(await second.ended(id)).toMatchObject({ status: "cancelled" });
    first = await startApi();
  });

  it("lose their runs when they are killed, which are closed or tried again", async () => {
    const retry = { max_attempts: 2, initial_delay_ms: 0 };
    const plain = await sleeping("one");
    const again = await sleeping("one", { retry });
    expect(await known("one").stop("SIGKILL")).toBeNull();
    expect(await second.ended(plain.id)).toMatchObject({
      failure: { code: "INTERRUPTED" },
      retried_as: null,
    });
    const { retried_as } = await second.ended(again.id);
    await startWorker("one");
    await second.until(retried_as ?? "", ({ type }) => type === "progress");
    await second.post(`/runs/${retried_as}/cancel`);
    expect(await second.ended(retried_as ?? "")).toMatchObject({ status: "cancelled" });
  });

  it("write nothing more to a run that was taken from them while they were stopped", async () => {
    const stopped = known("two");
    const run = await sleeping("two");
    stopped.signal("SIGSTOP");
    expect(await second.ended(run.id)).toMatchObject({ failure: { code: "INTERRUPTED" } });
    const before = await second.events(run.id);
    stopped.signal("SIGCONT");
    await eventually(async () => {
      const { busy, alive } = await second.get<Worker>(`/workers/${encodeURIComponent(stopped.id)}`);
      expect({ busy, alive }).toEqual({ busy: 0, alive: true });
    });
    expect(await second.events(run.id)).toEqual(before);
    // It works on.
    const { id } = await submit("two", { agent: shellFixture("ok") });
    expect(await second.ended(id)).toMatchObject({ status: "completed" });
  });

  it("give the verdicts that one machine gives", async () => {
    const file = join(folders.api, "same.yaml");
    const address = (name: string): string => `atp+stdio:node ${fixture(name).command[1]}`;
    writeFileSync(
      file,
      `test_suite: same
agents:
  - {name: good, address: "${address("file-artifact")}"}
  - {name: bad, address: "${address("fails")}"}
tests:
  - id: report
    name: leaves a report
    task: {description: write it}
    assertions:
      - {type: artifact_exists, config: {path: report.md}}
      - {type: contains, config: {pattern: "# Report"}}
      - {type: no_errors}
`,
    );
    const verdicts = async (more: string[], extra: Record<string, string>): Promise<unknown> => {
      const { stdout } = await runProgram(["test", file, "--json", ...more], {
        folder: temporaryFolder("verdicts"),
        env: extra,
      });
      const { cases } = JSON.parse(stdout, (key, value: unknown) => (SAME.test(key) ? value : undefined)) as {
        cases: { agent: string }[];
      };
      // In the order in which they ended, which depends on nothing that a verdict does.
      return cases.sort((a, b) => a.agent.localeCompare(b.agent));
    };
    const elsewhere = await verdicts(["--hub", second.url], { PROCTOR_TOKEN: OPERATOR });
    expect(elsewhere).toEqual(await verdicts([], {}));
    expect(JSON.stringify(elsewhere)).toContain("fail");
  });

  it("end when they are asked to, and close what they still have", async () => {
    const { id } = await sleeping("one");
    const { id: stopped } = known("one");
    expect(await known("one").stop("SIGTERM")).toBe(0);
    workers.delete("one");
    expect(await second.ended(id)).toMatchObject({ status: "failed", failure: { code: "INTERRUPTED" } });
    const { items } = await second.get<Page<Worker>>("/workers");
    // One that was killed before, with the same label, may still be shown for a while.
    expect(items.find((worker) => worker.id === stopped)?.alive ?? false).toBe(false);
  });

  it("end when their token is revoked, and their runs are closed", async () => {
    const { id: tokenId, secret } = await issue(["workers"]);
    const worker = await startWorker("one", secret);
    const run = await sleeping("one");
    expect((await second.send("POST", `/tokens/${tokenId}/revoke`)).ok).toBe(true);
    expect(await worker.ended).not.toBe(0);
    workers.delete("one");
    expect(worker.output()).toMatch(/revoked/);
    expect(await second.ended(run.id)).toMatchObject({ failure: { code: "INTERRUPTED" } });
  });

  it("are refused by a hub that carries out its runs itself, and over a network that others can read", async () => {
    const folder = temporaryFolder("alone");
    const hub = await startHubProcess({ folder });
    try {
      const refused = await runProgram(["worker", "--hub", hub.url], { folder: temporaryFolder("worker") });
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.stderr).toContain("keeps its runs in SQLite and carries them out itself");
    } finally {
      await hub.stop();
    }
    const readable = await runProgram(["worker", "--hub", "http://hub.example:3001"], { folder });
    expect(readable).toMatchObject({ code: 2 });
    expect(readable.stderr).toContain("--allow-http");
  });
});

function optionsOf(body: object): object {
  return "options" in body && typeof body.options === "object" && body.options !== null ? body.options : {};
}
