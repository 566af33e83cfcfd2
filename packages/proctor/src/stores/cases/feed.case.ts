// Cases of a store: the events of all runs in the order in which they were committed.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import {
  claimRequest,
  ended,
  logged,
  newRun,
  readLog,
  startRun,
} from "../../../test/support/stores/fixtures.ts";
import type { FeedEntry, Store } from "../../core/ports/store.ts";

export function feedCases(use: () => Store, reopen: () => Promise<Store>): void {
  /** Everything after a position, read in pages of this size. */
  async function readAll(store: Store, after = 0, size = 3): Promise<FeedEntry[]> {
    const { items, last } = await store.feed(after, size);
    if (items.length < size) return items;
    return [...items, ...(await readAll(store, last, size))];
  }
  const places = (entries: readonly FeedEntry[]) =>
    entries.map(({ record }) => `${record.run_id} ${record.sequence}`);

  it("has nothing in the beginning", async () => {
    expect(await use().feed(0, 10)).toEqual({ items: [], last: 0 });
    expect(await use().feed(Infinity, 10)).toEqual({ items: [], last: 0 });
  });

  it("holds every event once, in the order of commits, with its agent and conversation", async () => {
    await use().createRun(newRun({ id: "a" }));
    await use().createRun(newRun({ id: "b", agent: "fizz", conversation: "c" }));
    await use().claimRuns(claimRequest());
    await use().append("b", [logged("1"), logged("2"), logged("3")]);
    await use().append("a", [logged("4")]);
    await use().append("b", []);
    await use().append("b", [ended("failed")], { successor: newRun({ id: "d" }) });
    const expected = [
      "a 0",
      "a 1",
      "b 0",
      "b 1",
      "a 2",
      "b 2",
      "b 3",
      "b 4",
      "b 5",
      "a 3",
      "b 6",
      "d 0",
      "d 1",
    ];
    for (const size of [1, 2, 3, 5, 13, 1000])
      expect(places(await readAll(use(), 0, size))).toEqual(expected);
    const all = await readAll(use());
    const positions = all.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((x, y) => x - y));
    expect(new Set(positions).size).toBe(positions.length);
    for (const [index, { position }] of all.entries()) {
      expect(places(await readAll(use(), position, 4))).toEqual(expected.slice(index + 1));
    }
    expect(all[2]).toMatchObject({ agent: "fizz", conversation_id: "c" });
    expect(all[0]).toMatchObject({ agent: "echo", conversation_id: "a" });
    expect(all[2]?.record).toEqual((await use().readEvents("b", -1, 1))[0]);
    expect(await use().feed(Infinity, 10)).toEqual({ items: [], last: positions.at(-1) });
    expect(await readAll(await reopen(), 0, 4)).toEqual(all);
  });

  it("goes on after a restart, and gives no position twice though the newest run was removed", async () => {
    const [kept, gone] = [await startRun(use()), await startRun(use())];
    await use().append(gone, [logged("x"), ended()]);
    const { last } = await use().feed(Infinity, 1);
    await use().deleteRun(gone);
    expect(places(await readAll(use()))).toEqual([0, 1, 2].map((sequence) => `${kept} ${sequence}`));
    expect(await use().feed(Infinity, 1)).toEqual({ items: [], last });
    const store = await reopen();
    expect(await store.feed(Infinity, 1)).toEqual({ items: [], last });
    expect(await store.feed(last, 1)).toEqual({ items: [], last });
    await store.append(kept, [logged("y")]);
    expect(await store.feed(last, 10)).toMatchObject({ items: [{ record: { run_id: kept, sequence: 3 } }] });
  });

  it("has nothing of what was refused", async () => {
    const id = await startRun(use());
    const { last } = await use().feed(Infinity, 1);
    const outcomes = await Promise.allSettled([
      use().append(id, [logged("good")]),
      use().append(id, [logged("bad"), ...newRun().events]),
      use().createRun(newRun({ id })),
      use().append(id, [logged("good"), logged("too")]),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(places(await readAll(use(), last))).toEqual([3, 4, 5].map((sequence) => `${id} ${sequence}`));
  });

  it("gives a reader that keeps up every event once while many write", async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => startRun(use())));
    let { last } = await use().feed(Infinity, 1);
    const seen: FeedEntry[] = [];
    let writing = true;
    const writers = ids.map(async (id, index) => {
      for (let round = 0; round < 25; round++) {
        await use().append(
          id,
          Array.from({ length: 1 + ((round * 7 + index) % 80) }, () => logged("x")),
        );
      }
    });
    const done = Promise.all(writers).then(() => (writing = false));
    for (let more = true; more;) {
      more = writing;
      const page = await use().feed(last, 50);
      seen.push(...page.items);
      last = page.last;
      more ||= page.items.length > 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done;
    for (const id of ids) {
      const sequences = seen
        .filter(({ record }) => record.run_id === id)
        .map(({ record }) => record.sequence);
      const log = await readLog(use(), id);
      expect(sequences).toEqual(log.slice(3).map(({ sequence }) => sequence));
    }
  });

  it("is the same however it is cut, and agrees with the logs", async () => {
    let store = use();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ run: fc.nat(2), size: fc.integer({ min: 1, max: 70 }) }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 100 }),
        async (appends, size) => {
          const { last } = await store.feed(Infinity, 1);
          const ids = [newRun(), newRun(), newRun()].map((run) => run.id);
          for (const id of ids) await store.createRun({ ...newRun(), id });
          const expected = ids.flatMap((id) => [`${id} 0`, `${id} 1`]);
          const next = new Map(ids.map((id) => [id, 2]));
          for (const append of appends) {
            const id = ids[append.run] ?? "";
            const first = next.get(id) ?? 0;
            await store.append(
              id,
              Array.from({ length: append.size }, () => logged("x")),
            );
            expected.push(...Array.from({ length: append.size }, (_, index) => `${id} ${first + index}`));
            next.set(id, first + append.size);
          }
          expect(places(await readAll(store, last, size))).toEqual(expected);
          if (size % 10 === 0) store = await reopen();
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  });
}
