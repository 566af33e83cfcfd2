// Envelopes that are brought to an agent's URL.
import { afterEach, expect, it } from "vitest";
import { eventually, HANG_MS } from "../../test/support/eventually.ts";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { openTestMessages, type TestMessages } from "../../test/support/messages/open-test-messages.ts";
import type { Envelope, EnvelopeDraft } from "../core/envelope.ts";
import type { Delivered } from "../core/ports/deliver-envelope.ts";

let opened: TestMessages;
afterEach(() => opened.close());

const clock = createManualClock();

async function open(answer: (envelope: Envelope, attempt: number) => Delivered): Promise<string[]> {
  const tried: string[] = [];
  opened = await openTestMessages({
    messageClock: clock,
    deliver: async ({ spec }, envelope) => {
      expect(spec).toMatchObject({ url: "http://agent.test/in", headers: { key: "secret" } });
      tried.push(envelope.id);
      return answer(envelope, tried.length);
    },
  });
  await opened.hub.addAgent({
    name: "remote",
    protocol: "envelope",
    transport: "http",
    url: "http://agent.test/in",
    headers: { key: "secret" },
  });
  return tried;
}

const note = (id: string, change: Partial<EnvelopeDraft> = {}): EnvelopeDraft => ({
  id,
  from: "user:ada",
  to: "remote",
  type: "request",
  action: "look",
  ...change,
});

const inboxOf = (receiver: string) =>
  opened.messages.receive(receiver, { after: 0, limit: 100, waitMs: 0 }, AbortSignal.timeout(HANG_MS));

it("An agent with a URL is brought its envelopes in order, and what it answers reaches who asked", async () => {
  const tried = await open(({ id }) => ({
    replies: [{ to: "user:ada", type: "response", action: "look", payload: { saw: id }, inReplyTo: id }],
  }));
  await Promise.all(["a", "b", "c"].map((id) => opened.messages.send(note(id))));
  const answers = await eventually(async () => {
    const found = await inboxOf("user:ada");
    expect(found).toHaveLength(3);
    return found;
  });
  expect(tried).toEqual(["a", "b", "c"]);
  expect(answers.map(({ envelope }) => [envelope.from, envelope.inReplyTo])).toEqual([
    ["remote", "a"],
    ["remote", "b"],
    ["remote", "c"],
  ]);
  // Acknowledged when its answers are taken.
  await eventually(async () => expect(await inboxOf("remote")).toEqual([]));
});

it("An agent that cannot be reached is tried again, and those behind wait for their turn", async () => {
  const tried = await open((_, attempt) =>
    attempt < 3 ? { trouble: "it answered 503", refused: false } : { replies: [] },
  );
  await opened.messages.send(note("a"));
  await opened.messages.send(note("b"));
  await eventually(() => expect(tried).toEqual(["a"]));
  await eventually(() => {
    clock.advance(1000);
    expect(tried).toEqual(["a", "a", "a", "b"]);
  });
});

it("An envelope that an agent refuses is a dead letter, and the next one is brought", async () => {
  const tried = await open(({ id }) =>
    id === "bad" ? { trouble: "it answered 400", refused: true } : { replies: [] },
  );
  await opened.messages.send(note("bad"));
  await opened.messages.send(note("good"));
  await eventually(() => expect(tried).toEqual(["bad", "good"]));
  const { items } = await opened.messages.deadLetters({});
  expect(items).toMatchObject([{ reason: "undeliverable", envelope: { id: "bad" } }]);
  expect((await inboxOf("user:ada"))[0]?.envelope).toMatchObject({
    type: "error",
    inReplyTo: "bad",
    payload: { code: "UNDELIVERABLE", message: "it answered 400" },
  });
});

it("An agent that is not reached until an envelope's time is over never gets it", async () => {
  await open(() => ({ trouble: "it does not answer", refused: false }));
  await opened.messages.send(note("a", { ttl: 5000 }));
  const dead = await eventually(async () => {
    clock.advance(1000);
    const { items } = await opened.messages.deadLetters({});
    expect(items).toHaveLength(1);
    return items;
  });
  expect(dead).toMatchObject([{ reason: "expired" }]);
});
