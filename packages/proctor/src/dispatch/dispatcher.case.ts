// Every promise of the Dispatcher port, for any implementation: a dispatcher is done when it passes these.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually, HANG_MS } from "../../test/support/eventually.ts";
import { newEvent, newRun, type RunOptions } from "../../test/support/stores/fixtures.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Delivery, Dispatcher } from "../core/ports/dispatcher.ts";
import type { Store } from "../core/ports/store.ts";
import { toNewEvent } from "../engine/new-event.ts";
import { createRedactor } from "../core/redact.ts";
import { systemClock } from "../runtime/time/system-clock.ts";

export interface OpenWorker {
  store: Store;
  dispatcher: Dispatcher;
  /** Ends it as `kill -9` would: it proves nothing any more, and gives nothing back. */
  die(): Promise<void>;
  close(): Promise<void>;
}

export interface Workplace {
  /** A worker of this name on the same runs. */
  open(worker: string, labels?: readonly string[]): Promise<OpenWorker>;
  /** Lets so much time pass that a worker which proved nothing counts as dead. */
  outlive(): Promise<void>;
  close(): Promise<void>;
}

export interface DispatcherCases {
  /** Why only one worker can be open at a time; absent where many can. */
  alone?: string;
  /** Why claims cannot be restricted to some runs; absent where they can. */
  unnamed?: string;
  /** Why what dead workers left is not delivered; absent where it is. */
  fresh?: string;
}

const wide = { limit: 100, inFlight: {} };
/** Less than a worker may be silent for. */
const NOT_YET_MS = 9000;

export function dispatcherCases(
  name: string,
  start: (clock: Clock) => Promise<Workplace>,
  { alone, unnamed, fresh }: DispatcherCases = {},
): void {
  describe(name, { timeout: HANG_MS }, () => {
    let place: Workplace;
    /** How far the clock of all workers is ahead, in milliseconds. */
    let ahead = 0;
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead };
    let first: OpenWorker;
    const opened: OpenWorker[] = [];

    const open = async (worker: string, labels?: readonly string[]): Promise<OpenWorker> => {
      const one = await place.open(worker, labels);
      opened.push(one);
      return one;
    };
    const create = async (...runs: RunOptions[]): Promise<string[]> => {
      const ids: string[] = [];
      for (const run of runs) ids.push((await first.store.createRun(newRun(run))).run.id);
      return ids;
    };
    /** Claims until so many runs came. */
    const claim = async ({ dispatcher }: OpenWorker, count: number, inFlight = {}): Promise<Delivery[]> => {
      const deliveries: Delivery[] = [];
      await eventually(async () => {
        const limit = count - deliveries.length;
        if (limit > 0) deliveries.push(...(await dispatcher.claim({ limit, inFlight })).deliveries);
        expect(deliveries).toHaveLength(count);
      });
      return deliveries;
    };
    const end = ({ store }: OpenWorker, { claimed }: Delivery): Promise<unknown> =>
      store.append(
        claimed.run.id,
        [toNewEvent({ type: "run.ended", payload: { status: "completed" } }, createRedactor([]), Date.now())],
        { fence: claimed.fence },
      );

    beforeEach(async () => {
      ahead = 0;
      place = await start(clock);
      first = await open("first");
    });
    afterEach(async () => {
      for (const worker of opened.splice(0).toReversed()) await worker.close();
      await place.close();
    });

    it("delivers a queued run once, started and with a fence", async () => {
      const [id] = await create({ sealed: "secret" });
      const [delivery] = await claim(first, 1);
      expect(delivery).toMatchObject({
        redelivered: false,
        claimed: { run: { id, status: "running" }, sealed: "secret", fence: 1 },
      });
      expect((await first.dispatcher.claim(wide)).deliveries).toEqual([]);
      expect(await first.dispatcher.beat(delivery ? [delivery] : [])).toEqual([]);
      if (delivery) await end(first, delivery);
      expect((await first.store.readRun(id ?? ""))?.status).toBe("completed");
    });

    it("delivers in the order of priority, and leaves what there is no room for", async () => {
      const narrow = { agent: "narrow", concurrency: 1 };
      const [before] = await create(narrow);
      const [busy] = await claim(first, 1);
      expect(busy?.claimed.run.id).toBe(before);
      const [low, high] = await create({ ...narrow, priority: -1 }, { ...narrow, priority: 1 });
      for (const [atWork, next] of [
        [busy, high],
        [undefined, low],
      ] as const) {
        if (atWork) await end(first, atWork);
        const [delivery] = await claim(first, 1);
        expect(delivery?.claimed.run.id).toBe(next);
        if (delivery) await end(first, delivery);
      }
    });

    it("never has more of an agent's runs at work than the agent takes", async () => {
      await create(...Array.from({ length: 5 }, () => ({ agent: "narrow", concurrency: 2 })));
      const [other] = await create({ agent: "wide" });
      let atWork = await claim(first, 3);
      const ofOther = atWork.find(({ claimed: { run } }) => run.id === other);
      expect(ofOther).toBeDefined();
      if (ofOther) await end(first, ofOther);
      atWork = atWork.filter((one) => one !== ofOther);
      for (let ended = 0; ended < 5; ended++) {
        const inFlight = { narrow: atWork.length };
        const { deliveries } = await first.dispatcher.claim({ limit: 100, inFlight });
        expect(atWork.length + deliveries.length).toBeLessThanOrEqual(2);
        atWork.push(...deliveries);
        if (atWork.length === 0) atWork.push(...(await claim(first, 1)));
        const [done] = atWork.splice(0, 1);
        if (done) await end(first, done);
      }
      expect(await first.store.countRuns()).toMatchObject({ completed: 6, queued: 0 });
    });

    it("delivers a run when it is due, and not before", async () => {
      const [id] = await create({ notBefore: clock.now() + NOT_YET_MS });
      const [now] = await create({});
      expect((await claim(first, 1))[0]?.claimed.run.id).toBe(now);
      expect((await first.dispatcher.claim(wide)).deliveries).toEqual([]);
      ahead = NOT_YET_MS;
      const [delivery] = await claim(first, 1);
      expect(delivery?.claimed.run.id).toBe(id);
      expect(Date.parse(delivery?.claimed.run.started_at ?? "")).toBeGreaterThanOrEqual(
        Date.parse(delivery?.claimed.run.created_at ?? ""),
      );
    });

    it("leaves a run to workers that have its labels", async () => {
      if (alone === undefined) {
        const able = await open("able", ["gpu"]);
        const [id] = await create({ requires: ["gpu"] });
        const [delivery] = await claim(able, 1);
        expect(delivery?.claimed.run.id).toBe(id);
      } else await create({ requires: ["gpu"] });
      expect((await first.dispatcher.claim(wide)).deliveries).toEqual([]);
    });

    it.skipIf(unnamed !== undefined)("claims only the named runs where runs are named", async () => {
      const [, second] = await create({}, {});
      const { deliveries } = await first.dispatcher.claim({ ...wide, only: [second ?? ""] });
      expect(deliveries.map(({ claimed: { run } }) => run.id)).toEqual([second]);
    });

    it("takes a run back before anything was done with it, and delivers it again", async () => {
      const [id] = await create({});
      const [delivery] = await claim(first, 1);
      if (delivery) await first.dispatcher.release(delivery);
      const [again] = await claim(first, 1);
      expect(again).toMatchObject({ redelivered: false, claimed: { run: { id }, fence: 3 } });
      const late = delivery && end(first, delivery);
      await expect(late).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
    });

    it.skipIf(fresh !== undefined)(
      "delivers what a dead worker left only to be concluded, and refuses what that worker still writes",
      async () => {
        const [id] = await create({});
        const dead = alone === undefined ? await open("dead") : first;
        const [left] = await claim(dead, 1);
        await dead.die();
        await place.outlive();
        const survivor = alone === undefined ? first : await open("survivor");
        const found: Delivery[] = [];
        await eventually(async () => {
          found.push(...(await survivor.dispatcher.claim(wide)).deliveries);
          expect(found).toHaveLength(1);
        });
        const [again] = found;
        expect(again).toMatchObject({ redelivered: true, claimed: { run: { id, status: "running" } } });
        const write = (): Promise<unknown> =>
          survivor.store.append(id ?? "", [newEvent({ type: "run.paused", payload: {} })], {
            fence: left?.claimed.fence ?? 0,
          });
        // Where only one process can write, the dead one cannot come back.
        if (alone === undefined) await expect(write()).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
        if (again) await end(survivor, again);
        await expect(write()).rejects.toMatchObject({ code: "ILLEGAL_TRANSITION" });
        expect((await survivor.dispatcher.claim(wide)).deliveries).toEqual([]);
      },
    );

    it.skipIf(fresh !== undefined)(
      "delivers what a dead worker left to one that has no room, and nothing else",
      async () => {
        const [id] = await create({});
        const dead = alone === undefined ? await open("dead") : first;
        await claim(dead, 1);
        await dead.die();
        await place.outlive();
        const busy = alone === undefined ? first : await open("busy");
        await busy.store.createRun(newRun({}));
        const found: Delivery[] = [];
        await eventually(async () => {
          found.push(...(await busy.dispatcher.claim({ limit: 0, inFlight: {} })).deliveries);
          expect(found).toMatchObject([{ redelivered: true, claimed: { run: { id } } }]);
        });
        if (found[0]) await end(busy, found[0]);
        expect((await busy.dispatcher.claim({ limit: 0, inFlight: {} })).deliveries).toEqual([]);
        expect(await busy.store.countRuns()).toMatchObject({ completed: 1, queued: 1, running: 0 });
      },
    );

    it.skipIf(alone !== undefined || fresh !== undefined)(
      "lets a worker without its labels conclude a run of a dead one",
      async () => {
        const dead = await open("dead", ["gpu"]);
        const [id] = await create({ requires: ["gpu"] });
        await claim(dead, 1);
        await dead.die();
        await place.outlive();
        const [left] = await claim(first, 1);
        expect(left).toMatchObject({ redelivered: true, claimed: { run: { id } } });
        if (left) await end(first, left);
        expect(await first.store.countRuns()).toMatchObject({ completed: 1, running: 0 });
      },
    );

    it.skipIf(alone !== undefined || fresh !== undefined)(
      "tells a worker which of its runs somebody else has",
      async () => {
        await create({}, {});
        const slow = await open("slow");
        const mine = await claim(slow, 2);
        const [lost, kept] = mine;
        await place.outlive();
        const taken: Delivery[] = [];
        await eventually(async () => {
          if (kept) await slow.dispatcher.beat([kept]);
          taken.push(...(await first.dispatcher.claim(wide)).deliveries);
          expect(taken.length).toBeGreaterThan(0);
        });
        const gone = taken.map(({ claimed: { run } }) => run.id);
        const told = await slow.dispatcher.beat(mine);
        expect(told.map(({ claimed: { run } }) => run.id)).toEqual(expect.arrayContaining(gone));
        expect(gone).toContain(lost?.claimed.run.id);
      },
    );

    it.skipIf(alone !== undefined)("tells every worker that something waits", async () => {
      const other = await open("other");
      let told = 0;
      const unwatch = other.dispatcher.watch(() => (told += 1));
      await create({});
      await eventually(() => expect(told).toBeGreaterThan(0));
      expect(await claim(other, 1)).toHaveLength(1);
      unwatch();
    });
  });
}
