// Webhooks on a real hub, with real receivers: what they are told, how often, and where it never goes.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub } from "../../test/support/test-hub.ts";
import type { WebhookOptions } from "../core/run-options.ts";
import { uuidV7 } from "../core/id.ts";
import type { Hub } from "../core/ports/hub.ts";
import { systemClock } from "../runtime/time/system-clock.ts";
import { openSealer } from "../stores/sealer.ts";
import { webhookEncoding } from "../protocols/agent-protocol/webhook-encoding.ts";
import { createApiSurface } from "../protocols/agent-protocol/surfaces/api/surface.ts";
import type { LookupAll } from "../runtime/addresses/guarded-lookup.ts";
import { MAX_ATTEMPTS } from "./notify-receiver.ts";
import { createWebhooks, type Webhooks, type WebhooksOptions } from "./webhooks.ts";
import { rootSpanId } from "../runtime/span-ids.ts";

interface Got {
  headers: IncomingHttpHeaders;
  text: string;
  // The tests look inside.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

let folder: string;
let receiver: Server;
let url: string;
let got: Got[];
let statuses: number[];
let changed: () => void;
const reported: unknown[] = [];
let opened: { test: TestHub; webhooks: Webhooks; hub: Hub } | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-webhooks-"));
  got = [];
  statuses = [];
  reported.length = 0;
  changed = () => undefined;
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const status = statuses.shift() ?? 200;
      got.push({ headers: request.headers, text, body: JSON.parse(text) });
      response.writeHead(status, { location: "/elsewhere" }).end("thanks");
      changed();
    });
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = receiver.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  url = `http://127.0.0.1:${address.port}/hook?key=in-the-query`;
});

afterEach(async () => {
  await close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

async function open(options: Partial<WebhooksOptions> = {}, driver = createScriptedDriver()): Promise<Hub> {
  const test = await openTestHub({ folder, driver });
  const webhooks = createWebhooks({
    hub: test.hub,
    log: test.reader,
    report: (problem) => reported.push(problem),
    loadEncoding: () => Promise.resolve(webhookEncoding),
    folder: join(folder, "webhooks"),
    sealer: await openSealer(join(folder, "seal.key")),
    allowHosts: ["127.0.0.1"],
    clock: systemClock,
    ...options,
  });
  await webhooks.start();
  opened = { test, webhooks, hub: webhooks.hub };
  return webhooks.hub;
}

async function close(): Promise<void> {
  const { webhooks, test } = opened ?? {};
  opened = undefined;
  await webhooks?.close();
  await test?.close();
}

async function received(count: number): Promise<Got[]> {
  while (got.length < count) await new Promise<void>((resolve) => (changed = resolve));
  return got;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

/** Resolves when every receiver has been notified of everything. */
function settled(): Promise<void> {
  return until(async () => (await left()).length === 0);
}

function left(): Promise<string[]> {
  return readdir(join(folder, "webhooks"));
}

async function newTask(hub: Hub, webhook: WebhookOptions): Promise<string> {
  const { run } = await hub.openClientRun({ task: { description: "work" }, options: { webhook } });
  return run.id;
}

function finish(hub: Hub, id: string): Promise<unknown> {
  return hub.tell(id, () => [{ type: "run.ended", payload: { status: "completed" } }]);
}

const types = (): string[] => got.map(({ body }) => String(body.type));

describe("webhooks", () => {
  it("tell a receiver the task's events in order, signed", async () => {
    const clock = createManualClock();
    const hub = await open({ clock });
    const id = await newTask(hub, { url, secret: "s3cret" });
    await hub.pause(id);
    await hub.resume(id);
    await finish(hub, id);
    await settled();
    expect(types()).toEqual([
      "task.created",
      "task.started",
      "task.paused",
      "task.resumed",
      "task.completed",
    ]);
    expect(got[0]?.body).toEqual({
      id: `${id}:0`,
      type: "task.created",
      task_id: id,
      data: { input: "work", agent: null },
      timestamp: expect.any(String),
      seq: 0,
    });
    for (const { headers, text } of got) {
      const [, seconds = "", digest] =
        /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-proctor-signature"])) ?? [];
      expect(createHmac("sha256", "s3cret").update(`${seconds}.${text}`).digest("hex")).toBe(digest);
      expect(Number(seconds) * 1000).toBe(clock.now());
    }
    expect(reported).toEqual([]);
  });

  it("tell only what is asked for, and sign nothing without a secret", async () => {
    const hub = await open();
    const id = await newTask(hub, { url, events: ["step.*", "task.completed"] });
    const payload = { step_id: uuidV7(), name: "Step 1", input: null, additional_input: {} };
    await hub.tell(id, () => [{ type: "step.added", payload }]);
    await finish(hub, id);
    await settled();
    expect(types()).toEqual(["step.created", "task.completed"]);
    expect(got.map(({ headers }) => headers["x-proctor-signature"])).toEqual([undefined, undefined]);
  });

  it("name the trace of the run, below its span", async () => {
    const hub = await open();
    const id = await newTask(hub, { url });
    await finish(hub, id);
    await settled();
    const { trace_id: traceId } = await hub.run(id);
    const below = `00-${traceId}-${rootSpanId(id)}-01`;
    expect(new Set(got.map(({ headers }) => headers["traceparent"]))).toEqual(new Set([below]));
  });

  it("keep the secret to themselves", async () => {
    const hub = await open();
    const id = await newTask(hub, { url, secret: "very-s3cret" });
    await received(2);
    // Progress is written to another file first, which may be there at this moment, and gone at the next.
    const name = (await left()).find((one) => one.endsWith(".json")) ?? "";
    expect(await readFile(join(folder, "webhooks", name), "utf8")).not.toContain("very-s3cret");
    expect((await hub.run(id)).options.webhook).toEqual({ url, secret: "***" });
    expect(JSON.stringify(await hub.events(id, {}))).not.toContain("very-s3cret");
    // Nor does a hub without webhooks keep it.
    const { test } = opened ?? {};
    const plain = await test?.hub.openClientRun({
      task: { description: "x" },
      options: { webhook: { url, secret: "very-s3cret" } },
    });
    expect(JSON.stringify(plain?.run)).not.toContain("very-s3cret");
    await finish(hub, id);
    await settled();
  });

  it("go on after a restart with what has not arrived, with the same secret", async () => {
    let hub = await open();
    statuses = [200, 500];
    const id = await newTask(hub, { url, secret: "s3cret" });
    await received(2);
    await close();
    expect(types()).toEqual(["task.created", "task.started"]);
    hub = await open();
    await finish(hub, id);
    await settled();
    expect(types()).toEqual(["task.created", "task.started", "task.started", "task.completed"]);
    expect(got[2]?.body.id).toBe(got[1]?.body.id);
    const signature = String(got[3]?.headers["x-proctor-signature"]);
    const seconds = /^t=(\d+)/.exec(signature)?.[1] ?? "";
    const signed = `${seconds}.${got[3]?.text ?? ""}`;
    expect(signature).toContain(createHmac("sha256", "s3cret").update(signed).digest("hex"));
  });

  it("try again later and later, then go on with the next event", async () => {
    const clock = createManualClock();
    const hub = await open({ clock });
    statuses = [...Array.from({ length: MAX_ATTEMPTS }, () => 302), 500, 200];
    const id = await newTask(hub, { url });
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      await received(attempt);
      await until(() => clock.waiting === 1);
      clock.advance(5000 * 2 ** (attempt - 1));
    }
    // The next one is tried once, and the one after that arrives: all is well again.
    await received(MAX_ATTEMPTS + 1);
    await finish(hub, id);
    await settled();
    expect(types()).toEqual([
      ...Array.from({ length: MAX_ATTEMPTS }, () => "task.created"),
      "task.started",
      "task.completed",
    ]);
    expect(reported.map(String)).toEqual([
      expect.stringContaining(`task.created in ${MAX_ATTEMPTS} attempts: it answered 302`),
      expect.stringContaining("task.started in 1 attempts: it answered 500"),
    ]);
    expect(String(reported[0])).not.toContain("in-the-query");
  });

  it("end when the receiver is gone, and when the task is", async () => {
    const hub = await open();
    statuses = [410];
    const first = await newTask(hub, { url });
    await settled();
    await finish(hub, first);
    const second = await newTask(hub, { url });
    await received(3);
    await hub.remove(second);
    await settled();
    expect(types().slice(0, 3)).toEqual(["task.created", "task.created", "task.started"]);
    expect(reported).toEqual([]);
  });

  it("follow a task into its next attempt", async () => {
    const driver = createScriptedDriver();
    const hub = await open({}, driver);
    const { run } = await hub.submit({
      agent: "atp+stdio:scripted",
      task: { description: "work" },
      retry: { max_attempts: 2, initial_delay_ms: 0, on: ["AGENT_CRASHED", "AGENT_FAILED", "UNKNOWN"] },
      options: { webhook: { url, events: ["task.completed", "task.failed"] } },
    });
    (await driver.session(0)).push({
      kind: "end",
      end: { status: "failed", failure: { code: "UNKNOWN", message: "x" } },
    });
    (await driver.session(1)).end();
    await settled();
    const { retried_as } = await hub.run(run.id);
    expect(got.map(({ body }) => [body.type, body.task_id])).toEqual([
      ["task.failed", run.id],
      ["task.completed", retried_as],
    ]);
  });

  it("can be given with a task of the task API", async () => {
    const hub = await open();
    const { reader: log } = opened?.test ?? {};
    if (log === undefined) throw new Error("not open");
    const surface = createApiSurface({
      hub,
      log,
      keepAliveMs: 1000,
      report: (problem) => reported.push(problem),
      artifactsDir: folder,
      workspacesRoot: folder,
      exposeUri: false,
    });
    const ask = (webhook: unknown): Promise<Response> | Response =>
      surface.fetch(
        new Request("http://hub/api/tasks", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ task: "work", webhook }),
        }),
        { traceId: "0".repeat(32) },
      );
    expect((await ask({ url: "http://10.0.0.1/" })).status).toBe(400);
    expect((await ask({ url, other: 1 })).status).toBe(400);
    expect((await ask("x")).status).toBe(400);
    const created = await ask({ url, secret: "s3cret", events: null });
    const { agent } = (await created.json()) as { agent: { id: string } };
    await finish(hub, agent.id);
    await settled();
    expect(types()).toEqual(["task.created", "task.started", "task.completed"]);
    surface.close();
  });

  it("send what ended runs have left before a command ends", async () => {
    const hub = await open();
    const unfinished = await newTask(hub, { url, events: ["task.failed"] });
    const id = await newTask(hub, { url });
    await finish(hub, id);
    await opened?.webhooks.finish();
    expect(types()).toEqual(["task.created", "task.started", "task.completed"]);
    expect(await left()).toEqual([`${unfinished}.json`]);
  });

  it("leave an event that a receiver does not take for the next start, without waiting", async () => {
    const clock = createManualClock();
    const hub = await open({ clock });
    statuses = [500];
    const id = await newTask(hub, { url });
    await finish(hub, id);
    await until(() => clock.waiting === 1);
    await opened?.webhooks.finish();
    expect(types()).toEqual(["task.created"]);
    await close();
    await open();
    await settled();
    expect(types()).toEqual(["task.created", "task.created", "task.started", "task.completed"]);
    expect(reported).toEqual([]);
  });

  it("create one subscription for one idempotency key", async () => {
    const hub = await open();
    const request = { task: { description: "once" }, options: { webhook: { url, secret: "s" } } };
    const first = await hub.openClientRun(request, { idempotencyKey: "k" });
    const second = await hub.openClientRun(request, { idempotencyKey: "k" });
    expect(second.run.id).toBe(first.run.id);
    await finish(hub, first.run.id);
    await settled();
    expect(types()).toEqual(["task.created", "task.started", "task.completed"]);
  });
});

describe("webhooks are refused", () => {
  it.each([
    "http://127.0.0.1:1/",
    "http://localhost/",
    "http://10.1.2.3/",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[fd00::1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://0x7f.1/",
    "http://2130706433/",
    "http://printer.local/",
    "ftp://example.com/",
    "http://user:pw@example.com/",
    "https://example.com/#x",
    "nowhere",
    "",
  ])("with the address %s", async (address) => {
    const hub = await open({ allowHosts: [] });
    const asked = newTask(hub, { url: address });
    await expect(asked).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining("webhook.url"),
    });
    expect((await hub.runs({})).items).toEqual([]);
  });

  it.each([
    ["webhook.secret", { secret: "" }],
    ["webhook.secret", { secret: "***" }],
    ["webhook.events", { events: ["task.finished"] }],
    ["webhook.events", { events: [] }],
    ["webhook.retries", { retries: 3 }],
  ])("with a wrong %s: %j", async (path, part) => {
    const hub = await open();
    await expect(newTask(hub, { url, ...part })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      message: expect.stringContaining(path),
    });
  });

  it("when a public name turns out to be private, and nothing is sent", async () => {
    const { port } = new URL(url);
    const answers = [["93.184.216.34", "127.0.0.1"], ["::1"], ["127.0.0.1"]];
    const lookup: LookupAll = (_hostname, _options, callback) =>
      callback(
        null,
        (answers.shift() ?? ["127.0.0.1"]).map((address) => ({
          address,
          family: address.includes(":") ? 6 : 4,
        })),
      );
    const clock = createManualClock();
    const hub = await open({ allowHosts: [], lookup, clock });
    const id = await newTask(hub, { url: `http://rebound.example:${port}/` });
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      await until(() => clock.waiting === 1);
      clock.advance(5000 * 2 ** (attempt - 1));
    }
    await finish(hub, id);
    await settled();
    expect(got).toEqual([]);
    expect(reported.map(String)).toEqual(
      expect.arrayContaining([expect.stringContaining("rebound.example is not a public address")]),
    );
  });

  it("unless their host is allowed, by name or with its port", async () => {
    const { port } = new URL(url);
    const lookup: LookupAll = (_hostname, _options, callback) =>
      callback(null, [{ address: "127.0.0.1", family: 4 }]);
    const hub = await open({ allowHosts: [`127.0.0.1:${port}`], lookup });
    await expect(newTask(hub, { url: "http://127.0.0.1:1/" })).rejects.toThrow("is not public");
    await finish(hub, await newTask(hub, { url }));
    await settled();
    expect(types()).toHaveLength(3);
  });
});
