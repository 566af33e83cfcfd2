// Cases of a store: creating a run again with the same idempotency key.
import { expect, it } from "vitest";
import type { Store } from "../../core/ports/store.ts";
import { logged, newRun, readLog, startRun } from "../../../test/support/stores/fixtures.ts";

export function createCases(use: () => Store, reopen: () => Promise<Store>): void {
  const key = { key: "k", fingerprint: "f" };

  it("returns the first run for the same key and fingerprint, as it is now", async () => {
    const id = await startRun(use(), { idempotency: key });
    await use().append(id, [logged("x")]);
    const store = await reopen();
    const again = await store.createRun(newRun({ idempotency: key }));
    expect(again).toMatchObject({ created: false, run: { id, status: "running" } });
    expect((await store.listRuns({})).items).toHaveLength(1);
  });

  it("refuses the same key with another fingerprint, naming the run", async () => {
    await use().createRun(newRun({ id: "first", idempotency: key }));
    const other = newRun({ id: "second", idempotency: { ...key, fingerprint: "g" } });
    await expect(use().createRun(other)).rejects.toMatchObject({
      code: "IDEMPOTENCY_CONFLICT",
      details: { run_id: "first" },
    });
    expect(await use().readRun("second")).toBeUndefined();
    expect(await readLog(use(), "second")).toEqual([]);
  });

  it("creates one run when the same request arrives many times at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => use().createRun(newRun({ idempotency: key }))),
    );
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(answers.map(({ run }) => run.id)).size).toBe(1);
    expect((await use().listRuns({})).items).toHaveLength(1);
  });

  it("creates a run for each request without a key", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => use().createRun(newRun())));
    expect(answers.every(({ created }) => created)).toBe(true);
  });

  it("creates simultaneous requests in their order", async () => {
    const runs = Array.from({ length: 150 }, () => newRun());
    await Promise.all(runs.map((run) => use().createRun(run)));
    const { items } = await use().listRuns({ order: "oldest", limit: 1000 });
    expect(items.map(({ id }) => id)).toEqual(runs.map(({ id }) => id));
  });

  it("creates the others when one of several simultaneous requests is refused", async () => {
    const store = use();
    const good = Array.from({ length: 100 }, () => newRun());
    const first = good[0];
    if (first === undefined) throw new Error("there are a hundred");
    const again = { ...newRun(), id: first.id };
    const empty = { ...newRun(), events: [] };
    const all = [...good.slice(0, 50), again, empty, ...good.slice(50)];
    const outcomes = await Promise.allSettled(all.map((run) => store.createRun(run)));
    expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual(
      all.map((run) => run !== again && run !== empty),
    );
    const { items } = await store.listRuns({ limit: 1000 });
    expect(items.map(({ id }) => id).toSorted()).toEqual(good.map(({ id }) => id).toSorted());
    for (const { id, events } of good) expect(await store.readEvents(id, -1, 10)).toHaveLength(events.length);
  });

  it("refuses names that a database cannot hold", async () => {
    await expect(use().createRun(newRun({ agent: "a\0b" }))).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
  });
}
