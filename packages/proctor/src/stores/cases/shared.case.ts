// Cases of a store: what processes share when they have no disk in common.
import { expect, it } from "vitest";
import type { Store } from "../../core/ports/store.ts";

const HASH = "a".repeat(64);
const hold = (id: string, expires_at: number) => ({ id, sha256: HASH, kind: "hold" as const, expires_at });

export function sharedCases(use: () => Store, reopen: () => Promise<Store>): void {
  it("counts a mark on bytes until its time is over or it is removed", async () => {
    const { blobMarks: marks } = use();
    await marks.add(hold("one", 100));
    await marks.add(hold("two", 200));
    expect(await marks.isMarked(HASH, "hold", 150)).toBe(true);
    expect(await marks.isMarked(HASH, "removal", 150)).toBe(false);
    expect(await marks.isMarked("b".repeat(64), "hold", 150)).toBe(false);
    expect(await marks.expired(150, 10)).toEqual([hold("one", 100)]);
    await marks.remove("two");
    await marks.remove("two");
    expect(await marks.isMarked(HASH, "hold", 50)).toBe(true);
    expect(await (await reopen()).blobMarks.isMarked(HASH, "hold", 100)).toBe(false);
  });

  it("gives a name of bytes once, until it is taken away", async () => {
    const { blobMarks: marks } = use();
    const given = await Promise.all(Array.from({ length: 5 }, () => marks.link("b", HASH, 10)));
    expect(given.filter(Boolean)).toHaveLength(1);
    await marks.link("a", HASH, 10);
    await marks.link("c", HASH, 30);
    expect(await marks.names(20, "", 10)).toEqual(["a", "b"]);
    expect(await marks.names(20, "a", 10)).toEqual(["b"]);
    await marks.unlink("b");
    expect(await marks.link("b", HASH, 40)).toBe(true);
  });

  it("keeps the first of the facts that processes settle, and tells it to all", async () => {
    const { facts } = use();
    expect(await facts.read("database_id")).toBeUndefined();
    const told = await Promise.all(["x", "y", "z"].map((value) => facts.settle("database_id", value)));
    expect(new Set(told).size).toBe(1);
    const { facts: later } = await reopen();
    expect(await later.settle("database_id", "late")).toBe(told[0]);
    await later.put("database_id", "replaced");
    expect(await later.read("database_id")).toBe("replaced");
  });

  it("lets one process send for a subscription until its lease is over", async () => {
    const { subscriptions } = use();
    await subscriptions.put({ key: "r1", document: "{}" }, "first", 100);
    expect(await subscriptions.add({ key: "r1", document: '{"new":1}' }, "second", 200)).toBe(false);
    expect(await subscriptions.find("r1")).toEqual([{ key: "r1", document: "{}" }]);
    await subscriptions.put({ key: "r1.x", document: "{}" }, "first", 100);
    expect(await subscriptions.take("second", 50, 200)).toEqual([]);
    await subscriptions.update({ key: "r1", document: '{"settled":1}' }, "second");
    expect(await subscriptions.renew("first", 150)).toEqual(["r1", "r1.x"]);
    expect(await subscriptions.take("first", 150, 300)).toEqual([]);
    const taken = await Promise.all(
      ["second", "third"].map((sender) => subscriptions.take(sender, 150, 300)),
    );
    expect(
      taken
        .flat()
        .map(({ key }) => key)
        .toSorted(),
    ).toEqual(["r1", "r1.x"]);
    expect(taken.flat()[0]?.document).toBe("{}");
    expect(await subscriptions.renew("first", 400)).toEqual([]);
    await subscriptions.remove("r1");
    expect((await subscriptions.find("r1")).map(({ key }) => key)).toEqual(["r1.x"]);
  });
}
