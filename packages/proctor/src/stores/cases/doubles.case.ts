// Cases of a store: doubles, and what they were asked.
import { expect, it } from "vitest";
import type { NewDouble, NewDoubleRequest } from "../../core/double.ts";
import type { Store } from "../../core/ports/store.ts";
import { NOW } from "../../../test/support/stores/fixtures.ts";

const MINUTE = 60_000;
const KEPT = 1000;

export function doubleCases(use: () => Store, reopen: () => Promise<Store>): void {
  const double = (name: string): NewDouble => ({
    kind: "tools",
    name,
    address: "http://127.0.0.1:8080/tools",
    host: "here",
    pid: 7,
  });
  const asked = (text: string, unmatched = false): NewDoubleRequest => ({
    at: new Date(NOW).toISOString(),
    asked: "web_search",
    request: { query: text },
    answered: { status: "success" },
    matched: unmatched ? null : "mock",
    unmatched,
  });
  const iso = (ms: number): string => new Date(ms).toISOString();

  it("keeps doubles and what they were asked, also when it is opened again", async () => {
    await use().doubles.add("d1", double("one"), NOW, NOW + MINUTE);
    await use().doubles.add("d2", double("two"), NOW + 1, NOW + MINUTE);
    expect(await use().doubles.record("d1", [asked("a"), asked("b", true)], NOW + 2, NOW + 2 * MINUTE)).toBe(
      true,
    );
    const store = await reopen();
    expect(await store.doubles.list(NOW + MINUTE)).toEqual([
      expect.objectContaining({
        ...double("two"),
        id: "d2",
        state: "gone",
        requests: 0,
        seen_at: iso(NOW + 1),
      }),
      {
        ...double("one"),
        id: "d1",
        state: "live",
        started_at: iso(NOW),
        seen_at: iso(NOW + 2),
        ended_at: null,
        requests: 2,
        unmatched: 1,
        dropped: 0,
      },
    ]);
    const { items, next_cursor } = await store.doubles.requests("d1", {});
    expect([items.map(({ number }) => number), next_cursor]).toEqual([[2, 1], null]);
    expect(items[1]).toEqual({ ...asked("a"), number: 1 });
  });

  it("gives pages, and finds by text and by what nothing matched", async () => {
    await use().doubles.add("d1", double("one"), NOW, NOW + MINUTE);
    const all = [asked("Bees"), asked("ants", true), asked('a "quoted" word'), asked("wasps", true)];
    await use().doubles.record("d1", all, NOW, NOW + MINUTE);
    const numbers = async (query: Parameters<Store["doubles"]["requests"]>[1]) =>
      (await use().doubles.requests("d1", query)).items.map(({ number }) => number);
    const first = await use().doubles.requests("d1", { limit: 3 });
    expect(first.items.map(({ number }) => number)).toEqual([4, 3, 2]);
    expect(await numbers({ limit: 3, cursor: first.next_cursor ?? "" })).toEqual([1]);
    expect(await numbers({ unmatched: true })).toEqual([4, 2]);
    expect(await numbers({ text: "bEES" })).toEqual([1]);
    expect(await numbers({ text: '"quoted"' })).toEqual([3]);
    expect(await numbers({ text: "ants", unmatched: true })).toEqual([2]);
    await expect(numbers({ cursor: first.next_cursor ?? "", text: "x" })).rejects.toMatchObject({
      code: "INVALID_CURSOR",
    });
  });

  it(`keeps the newest ${KEPT} requests of a double, and counts the rest`, async () => {
    await use().doubles.add("d1", double("one"), NOW, NOW + MINUTE);
    for (let batch = 0; batch < 6; batch++) {
      await use().doubles.record(
        "d1",
        Array.from({ length: 200 }, (_, index) => asked(`${batch}.${index}`)),
        NOW,
        NOW + MINUTE,
      );
    }
    expect(await use().doubles.read("d1", NOW)).toMatchObject({ requests: 1200, dropped: 200 });
    const { items } = await use().doubles.requests("d1", { limit: 1000 });
    expect([items.length, items[0]?.number, items.at(-1)?.number]).toEqual([KEPT, 1200, 201]);
  });

  it("knows doubles that ended, and forgets them an hour later with what they were asked", async () => {
    await use().doubles.add("d1", double("one"), NOW, NOW + MINUTE);
    await use().doubles.record("d1", [asked("a")], NOW, NOW + MINUTE);
    expect(await use().doubles.end("d1", NOW + 1)).toBe(true);
    expect(await use().doubles.read("d1", NOW + 2)).toMatchObject({ state: "ended", ended_at: iso(NOW + 1) });
    expect(await use().doubles.read("d1", NOW + 61 * MINUTE)).toBeUndefined();
    await use().doubles.add("d2", double("two"), NOW + 61 * MINUTE, NOW + 62 * MINUTE);
    expect((await use().doubles.list(NOW)).map(({ id }) => id)).toEqual(["d2"]);
    expect((await use().doubles.requests("d1", {})).items).toEqual([]);
    expect([await use().doubles.end("d1", NOW), await use().doubles.record("d1", [], NOW, NOW)]).toEqual([
      false,
      false,
    ]);
  });

  it("keeps a bounded number of doubles, the newest", async () => {
    for (let count = 0; count <= 200; count++) {
      await use().doubles.add(`d${count}`, double("many"), NOW + count, NOW + MINUTE);
    }
    const ids = (await use().doubles.list(NOW)).map(({ id }) => id);
    expect([ids.length, ids[0], ids.includes("d0")]).toEqual([200, "d200", false]);
  });
}
