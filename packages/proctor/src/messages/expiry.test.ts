// What happens to envelopes when time passes: the test owns the clock.
import { afterEach, expect, it } from "vitest";
import { eventually, HANG_MS } from "../../test/support/eventually.ts";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { openTestMessages, type TestMessages } from "../../test/support/messages/open-test-messages.ts";
import type { EnvelopeDraft } from "../core/envelope.ts";

const DAY_MS = 86_400_000;
const clock = createManualClock();
let opened: TestMessages;

async function open(): Promise<TestMessages> {
  opened = await openTestMessages({ messageClock: clock });
  await opened.hub.addAgent({ name: "box", protocol: "envelope", transport: "inbox", url: "inbox:box" });
  return opened;
}

afterEach(() => opened.close());

const note = (change: Partial<EnvelopeDraft> = {}): EnvelopeDraft => ({
  from: "user:ada",
  to: "box",
  type: "request",
  action: "look",
  ...change,
});

const inboxOf = (receiver: string) =>
  opened.messages.receive(receiver, { after: 0, limit: 100, waitMs: 0 }, AbortSignal.timeout(HANG_MS));

it("An envelope that nobody takes in time is a dead letter, and whoever asked is told so", async () => {
  const { messages } = await open();
  await messages.send(note({ id: "short", ttl: 1000 }));
  await messages.send(note({ id: "usual" }));
  clock.advance(999);
  expect((await messages.deadLetters({})).items).toEqual([]);
  clock.advance(1);
  const dead = await eventually(async () => {
    const { items } = await messages.deadLetters({});
    expect(items).toHaveLength(1);
    return items;
  });
  expect(dead).toMatchObject([{ receiver: "box", reason: "expired", envelope: { id: "short" } }]);
  const [told] = await eventually(async () => {
    const found = await inboxOf("user:ada");
    expect(found).toHaveLength(1);
    return found;
  });
  expect(told?.envelope).toMatchObject({
    type: "error",
    from: "hub",
    inReplyTo: "short",
    payload: { code: "EXPIRED", receiver: "box" },
  });
  expect((await inboxOf("box")).map(({ envelope }) => envelope.id)).toEqual(["usual"]);
});

it("An envelope without a time to live waits for a day", async () => {
  const { messages } = await open();
  await messages.send(note({ id: "a" }));
  clock.advance(DAY_MS - 60_001);
  await eventually(async () => expect(await inboxOf("box")).toHaveLength(1));
  await eventually(async () => {
    clock.advance(60_000);
    expect(await inboxOf("box")).toEqual([]);
  });
});

it.each(["response", "notification", "error"] as const)(
  "An expired %s is answered with nothing",
  async (type) => {
    const { messages } = await open();
    await messages.send(note({ type, ttl: 10 }));
    clock.advance(10);
    await eventually(async () => expect((await messages.deadLetters({})).items).toHaveLength(1));
    expect(await inboxOf("user:ada")).toEqual([]);
  },
);

it("An expired request of the hub's own driver reaches the run", async () => {
  const { messages, hub } = await open();
  const { run } = await hub.submit({ agent: "box", task: { description: "wait for nobody" } });
  await eventually(async () => expect(await inboxOf("box")).toHaveLength(1));
  await eventually(async () => {
    clock.advance(DAY_MS);
    expect(await hub.run(run.id)).toMatchObject({ status: "failed", failure: { code: "EXPIRED" } });
  });
  expect((await messages.inboxes({})).items).toEqual([]);
});

it("An envelope that was done a day ago is forgotten, and its id can be used again", async () => {
  const { messages, store } = await open();
  await messages.send(note({ id: "a", payload: 1 }));
  await messages.send(note({ id: "b" }));
  const [first] = await inboxOf("box");
  await messages.acknowledge("box", first?.position ?? 0);
  clock.advance(DAY_MS - 120_000);
  await expect(messages.send(note({ id: "a", payload: 2 }))).rejects.toMatchObject({
    code: "IDEMPOTENCY_CONFLICT",
  });
  await eventually(async () => {
    clock.advance(60_000);
    expect(await store.messages.find("user:ada", "a")).toBeUndefined();
  });
  expect(await messages.send(note({ id: "a", payload: 2 }))).toMatchObject({ created: true });
});
