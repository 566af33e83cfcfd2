import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../test/support/eventually.ts";
import { createManualClock, type ManualClock } from "../../test/support/manual-clock.ts";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub } from "../../test/support/test-hub.ts";
import { webhookEncoding } from "../protocols/agent-protocol/webhook-encoding.ts";
import { createSealer } from "../stores/sealer.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";

const sealer = createSealer(Buffer.alloc(32, 1));
let clock: ManualClock;
let test: TestHub;
let receiver: Server;
let url: string;
let got: string[];
let opened: Webhooks[];

beforeEach(async () => {
  clock = createManualClock();
  test = await openTestHub({ driver: createScriptedDriver() });
  got = [];
  opened = [];
  receiver = createServer((request, answer) => {
    got.push(String(request.headers["x-proctor-event"]));
    request.resume().once("end", () => answer.end());
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
});

afterEach(async () => {
  for (const webhooks of opened) await webhooks.close();
  receiver.closeAllConnections();
  receiver.close();
  await test.close();
});

/** As another process on the same database. */
function open(): Webhooks {
  const webhooks = createWebhooks({
    hub: test.hub,
    log: test.reader,
    report: (problem) => expect(problem).toBeUndefined(),
    loadEncoding: () => Promise.resolve(webhookEncoding),
    folder: "/nowhere",
    subscriptions: test.store.subscriptions,
    sealer,
    allowHosts: ["127.0.0.1"],
    clock,
  });
  opened.push(webhooks);
  return webhooks;
}

const finish = (id: string) =>
  test.hub.tell(id, () => [{ type: "run.ended", payload: { status: "completed" } }]);

describe("webhooks of several processes", () => {
  it("are sent on by another when theirs died, and nothing as something new", async () => {
    const [first, second] = [open(), open()];
    await second.start();
    const webhook = { url, secret: "s3cret" };
    const { run } = await first.hub.openClientRun({ task: { description: "work" }, options: { webhook } });
    await eventually(() => expect(got).toEqual(["task.created", "task.started"]));
    // The receiver has an event before the first process knows that it has: only then is it not sent again.
    const stored = () => test.store.subscriptions.find(run.id);
    await eventually(async () => expect((await stored())[0]?.document).toContain('"settled":1,'));
    expect(JSON.stringify(await stored())).not.toContain("s3cret");
    await first.close();
    await finish(run.id);
    clock.advance(30_000);
    expect(got).toHaveLength(2);
    await eventually(async () => {
      clock.advance(30_000);
      expect(await stored()).toEqual([]);
    });
    expect(got).toEqual(["task.created", "task.started", "task.completed"]);
  });

  it("are not begun again where the same request comes to another: one whose answer was lost", async () => {
    const [first, second] = [open(), open()];
    await second.start();
    const request = { task: { description: "work" }, options: { webhook: { url } } };
    const key = { idempotencyKey: "again" };
    const { run } = await first.hub.openClientRun(request, key);
    await eventually(() => expect(got).toEqual(["task.created", "task.started"]));
    expect(await second.hub.openClientRun(request, key)).toMatchObject({ created: false });
    await finish(run.id);
    await eventually(async () => expect(await test.store.subscriptions.find(run.id)).toEqual([]));
    expect(got).toEqual(["task.created", "task.started", "task.completed"]);
  });

  it("are known in each, and end where they are when one takes them back", async () => {
    const [first, second] = [open(), open()];
    const { run } = await first.hub.openClientRun({ task: { description: "work" } });
    const asked = { run_id: run.id, id: "mine", url, protocol: "x", config: { token: "s3cret" } };
    await first.receivers.add({ ...asked, after: -1 });
    expect(await second.receivers.list(run.id)).toEqual([asked]);
    await eventually(() => expect(got).toHaveLength(2));
    await second.receivers.remove(run.id, "mine");
    expect(await first.receivers.list(run.id)).toEqual([]);
    clock.advance(30_000);
    // The first process has noticed when the store has answered whatever it asked.
    await test.store.ping();
    await finish(run.id);
    await first.close();
    expect(got).toHaveLength(2);
  });
});
