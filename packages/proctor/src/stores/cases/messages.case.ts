// Cases of a store: envelopes and the inboxes that they wait in.
import { expect, it } from "vitest";
import type { NewStoredMessage, StoredMessage } from "../../core/ports/message-store.ts";
import type { Store } from "../../core/ports/store.ts";

const LIMITS = { count: 3, bytes: 1000 };
const NOW = 1_700_000_000_000;

function message(change: Partial<NewStoredMessage> = {}): NewStoredMessage {
  const id = change.id ?? "m1";
  return {
    sender: "user:ada",
    id,
    receiver: "writer",
    state: "waiting",
    document: JSON.stringify({ id }),
    fingerprint: "f",
    sizeBytes: 10,
    createdAt: NOW,
    expiresAt: NOW + 1000,
    hops: 0,
    ...change,
  };
}

export function messageCases(use: () => Store, reopen: () => Promise<Store>): void {
  const add = async (change?: Partial<NewStoredMessage>): Promise<StoredMessage> =>
    (await use().messages.add(message(change), LIMITS, "refuse")).message;
  const ids = (found: readonly StoredMessage[]): string[] => found.map(({ id }) => id);

  it("hands out envelopes in the order in which they came, also after a restart", async () => {
    await Promise.all(["a", "b", "c"].map((id) => add({ id })));
    await add({ id: "other", receiver: "reader" });
    const { messages } = await reopen();
    const found = await messages.waiting("writer", 0, 10);
    expect(ids(found)).toEqual(["a", "b", "c"]);
    expect(found[0]).toMatchObject({ ...message({ id: "a" }), deliveries: 0, runId: null, told: -1 });
    expect(ids(await messages.waiting("writer", found[0]?.position ?? 0, 1))).toEqual(["b"]);
  });

  it("keeps one envelope of a sender and an id, also when all come at once", async () => {
    const { messages } = use();
    const added = await Promise.all(
      Array.from({ length: 5 }, () => messages.add(message(), LIMITS, "refuse")),
    );
    expect(added.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(added.map(({ message: { position } }) => position)).size).toBe(1);
    expect(await messages.waiting("writer", 0, 10)).toHaveLength(1);
    await add({ sender: "user:bob" });
    expect(await messages.waiting("writer", 0, 10)).toHaveLength(2);
  });

  it("refuses an envelope that has another's id, even when that was acknowledged", async () => {
    const { position } = await add();
    await use().messages.acknowledge("writer", position, NOW);
    const { messages } = await reopen();
    await expect(messages.add(message({ fingerprint: "g" }), LIMITS, "refuse")).rejects.toMatchObject({
      code: "IDEMPOTENCY_CONFLICT",
    });
    expect(await messages.add(message(), LIMITS, "refuse")).toMatchObject({
      created: false,
      message: { position, state: "done" },
    });
  });

  it("acknowledges everything up to a position, and nothing of another receiver", async () => {
    const { messages } = use();
    await add({ id: "a" });
    await add({ id: "x", receiver: "reader" });
    const { position } = await add({ id: "b" });
    await add({ id: "c" });
    expect(await messages.acknowledge("writer", position, NOW)).toBe(2);
    expect(await messages.acknowledge("writer", position, NOW)).toBe(0);
    expect(ids(await messages.waiting("writer", 0, 10))).toEqual(["c"]);
    expect(ids(await messages.waiting("reader", 0, 10))).toEqual(["x"]);
    expect(await messages.inboxes({})).toEqual({
      items: [
        { receiver: "reader", waiting: 1, bytes: 10, oldest_at: new Date(NOW).toISOString() },
        { receiver: "writer", waiting: 1, bytes: 10, oldest_at: new Date(NOW).toISOString() },
      ],
      next_cursor: null,
    });
  });

  it("counts how often envelopes were handed out", async () => {
    const first = await add({ id: "a" });
    await add({ id: "b" });
    await use().messages.countDelivery("writer", first.position, first.position);
    const found = await use().messages.waiting("writer", 0, 10);
    expect(found.map(({ deliveries }) => deliveries)).toEqual([1, 0]);
  });

  it("refuses what does not fit into an inbox, and takes it when there is room again", async () => {
    const { messages } = use();
    const { position } = await add({ id: "a", sizeBytes: 500 });
    const refused = { code: "INBOX_FULL", details: { receiver: "writer" } };
    await expect(add({ id: "b", sizeBytes: 501 })).rejects.toMatchObject(refused);
    await add({ id: "b", sizeBytes: 10 });
    await add({ id: "c", sizeBytes: 10 });
    await expect(add({ id: "d", sizeBytes: 1 })).rejects.toMatchObject(refused);
    expect((await messages.add(message({ id: "a", sizeBytes: 500 }), LIMITS, "refuse")).created).toBe(false);
    await messages.acknowledge("writer", position, NOW);
    await add({ id: "d", sizeBytes: 1 });
    expect(ids(await messages.waiting("writer", 0, 10))).toEqual(["b", "c", "d"]);
  });

  it("buries what does not fit and nobody can be told of", async () => {
    const { messages } = use();
    for (const id of ["a", "b", "c"]) await add({ id });
    expect(await messages.add(message({ id: "d" }), LIMITS, "bury")).toMatchObject({
      created: true,
      message: { state: "dead" },
    });
    expect((await messages.dead({})).items).toMatchObject([{ receiver: "writer", reason: "full" }]);
    expect(await messages.waiting("writer", 0, 10)).toHaveLength(3);
  });

  it("finds what has expired, buries it, and puts it at the end of the inbox again", async () => {
    const { messages } = use();
    const early = await add({ id: "early", expiresAt: NOW + 1 });
    await add({ id: "late", expiresAt: NOW + 5 });
    expect(await messages.nextExpiry()).toBe(NOW + 1);
    expect(ids(await messages.expired(NOW, 10))).toEqual([]);
    expect(ids(await messages.expired(NOW + 1, 10))).toEqual(["early"]);
    expect(await messages.bury(early.position, "expired", NOW + 1)).toBe(true);
    expect(await messages.bury(early.position, "expired", NOW + 1)).toBe(false);
    expect(ids(await messages.waiting("writer", 0, 10))).toEqual(["late"]);
    const { messages: again } = await reopen();
    const dead = await again.dead({ receiver: "writer" });
    expect(dead.items).toEqual([
      {
        position: early.position,
        receiver: "writer",
        reason: "expired",
        at: new Date(NOW + 1).toISOString(),
        envelope: { id: "early" },
      },
    ]);
    expect((await again.dead({ receiver: "reader" })).items).toEqual([]);
    const revived = await again.revive(early.position, NOW + 9, LIMITS);
    expect(revived.position).toBeGreaterThan(early.position);
    expect(ids(await again.waiting("writer", 0, 10))).toEqual(["late", "early"]);
    await expect(again.revive(early.position, NOW, LIMITS)).rejects.toMatchObject({
      code: "MESSAGE_NOT_FOUND",
    });
  });

  it("lists dead letters page by page, newest first, and removes them", async () => {
    const { messages } = use();
    const letters = [await add({ id: "a" }), await add({ id: "b" }), await add({ id: "c" })];
    for (const { position } of letters) await messages.bury(position, "undeliverable", NOW);
    const first = await messages.dead({ limit: 2 });
    expect(first.items.map(({ envelope }) => envelope.id)).toEqual(["c", "b"]);
    const second = await messages.dead({ limit: 2, cursor: first.next_cursor ?? "" });
    expect(second.items.map(({ envelope }) => envelope.id)).toEqual(["a"]);
    expect(second.next_cursor).toBeNull();
    await messages.discard(letters[0]?.position ?? 0);
    await expect(messages.discard(letters[0]?.position ?? 0)).rejects.toMatchObject({
      code: "MESSAGE_NOT_FOUND",
    });
    expect((await messages.dead({})).items).toHaveLength(2);
  });

  it("remembers what the hub carries out, and how far it is", async () => {
    const { position } = await add({ state: "working", receiver: "hub" });
    await use().messages.progress(position, { runId: "r1", told: 7 });
    const { messages } = await reopen();
    expect(await messages.working(0, 10)).toMatchObject([{ position, runId: "r1", told: 7 }]);
    await messages.finish(position, NOW);
    expect(await messages.working(0, 10)).toEqual([]);
    expect(await messages.find("user:ada", "m1")).toMatchObject({ state: "done", runId: "r1" });
  });

  it("forgets what was done long ago, and never gives a position twice", async () => {
    const { messages } = use();
    const first = await add({ id: "a" });
    const last = await add({ id: "b" });
    await messages.acknowledge("writer", last.position, NOW);
    expect(await messages.forget(NOW, 10)).toBe(0);
    expect(await messages.forget(NOW + 1, 10)).toBe(1);
    expect(await messages.find("user:ada", "a")).toBeUndefined();
    const { messages: again } = await reopen();
    const next = (await again.add(message({ id: "a" }), LIMITS, "refuse")).message;
    expect(next.position).toBeGreaterThan(last.position);
    expect(last.position).toBeGreaterThan(first.position);
  });

  it("refuses an envelope whose id holds NUL", async () => {
    await expect(add({ id: "a\0b" })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });
}
