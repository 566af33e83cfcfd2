// Cases of a store: what operators are told of workers.
import { expect, it } from "vitest";
import type { Store } from "../../core/ports/store.ts";
import type { WorkerBeat } from "../../core/worker.ts";
import { NOW } from "../../../test/support/stores/fixtures.ts";

const MINUTE = 60_000;

export function workerCases(use: () => Store, reopen: () => Promise<Store>): void {
  const worker = (id: string, changes: Partial<WorkerBeat> = {}): WorkerBeat => ({
    id,
    host: "here",
    pid: 1,
    version: "0.0.0",
    labels: ["gpu"],
    slots: 4,
    busy: 0,
    draining: false,
    started_at: new Date(NOW).toISOString(),
    ...changes,
  });

  it("lists workers with what they said last, and whether they are alive", async () => {
    await use().workers.beat(worker("w1"), NOW, NOW + MINUTE);
    await use().workers.beat(worker("w2"), NOW, NOW + 2 * MINUTE);
    expect(await use().workers.beat(worker("w1", { busy: 3 }), NOW + 1, NOW + MINUTE)).toEqual({
      drain: false,
    });
    const later = NOW + MINUTE;
    expect(await (await reopen()).workers.list(later)).toEqual([
      { ...worker("w2"), alive: true, seen_at: new Date(NOW).toISOString() },
      { ...worker("w1", { busy: 3 }), alive: false, seen_at: new Date(NOW + 1).toISOString() },
    ]);
  });

  it("tells a worker that it is to drain, and says which workers do", async () => {
    await use().workers.beat(worker("w1"), NOW, NOW + MINUTE);
    await use().workers.beat(worker("w2", { draining: true }), NOW, NOW + MINUTE);
    expect(await use().workers.drain("nobody")).toBe(false);
    expect(await use().workers.drain("w1")).toBe(true);
    expect(await use().workers.list(NOW)).toMatchObject([{ draining: true }, { draining: true }]);
    expect(await use().workers.beat(worker("w1"), NOW, NOW + MINUTE)).toEqual({ drain: true });
  });

  it("forgets workers that ended, and after an hour those that are gone", async () => {
    await use().workers.beat(worker("w1"), NOW, NOW + MINUTE);
    await use().workers.beat(worker("w2"), NOW, NOW + MINUTE);
    await use().workers.remove("w1");
    expect((await use().workers.list(NOW)).map(({ id }) => id)).toEqual(["w2"]);
    await use().renew("no worker of its own", NOW);
    await use().workers.beat(worker("w3"), NOW + 62 * MINUTE, NOW + 63 * MINUTE);
    expect((await use().workers.list(NOW)).map(({ id }) => id)).toEqual(["w3"]);
  });
}
