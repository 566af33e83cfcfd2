import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventually, HANG_MS } from "../../../test/support/eventually.ts";
import { ended, newRun } from "../../../test/support/stores/fixtures.ts";
import { createDatabase, emptyDatabase, lacksPostgres, query } from "../../../test/support/postgres.ts";
import type { Delivery, Dispatcher } from "../../core/ports/dispatcher.ts";
import type { Store } from "../../core/ports/store.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { openPostgresStore } from "../../stores/postgres/open-store.ts";
import { dispatcherCases } from "../dispatcher.case.ts";
import { openPgBossQueue, type OpenQueue } from "./pg-boss-dispatcher.ts";

describe.skipIf(await lacksPostgres("the dispatcher over pg-boss"))("on a real server", () => {
  let shared: Promise<string> | undefined;

  dispatcherCases(
    "the dispatcher over pg-boss",
    async (clock) => {
      const url = await (shared ??= createDatabase());
      return {
        async open(worker, labels) {
          const opened = await openPgBossQueue({
            url,
            clock,
            worker,
            agentConcurrency: 100,
            ...(labels && { labels }),
            report: () => undefined,
          });
          const store = await openPostgresStore({ url, queue: opened.queue });
          const dispatcher = opened.dispatcher(store);
          const now = Date.now();
          const beat = { id: worker, host: "here", pid: 1, version: "0", slots: 1, busy: 0, draining: false };
          const started_at = new Date(now).toISOString();
          await store.workers.beat({ ...beat, labels: [...(labels ?? [])], started_at }, now, now + 600_000);
          let closing: Promise<void> | undefined;
          const close = () =>
            (closing ??= (async () => {
              await dispatcher.close();
              await store.close();
              await opened.close();
            })());
          return { store, dispatcher, die: close, close };
        },
        // As if ten seconds had passed without a heartbeat.
        outlive: async () => {
          await query(
            url,
            "update proctor_queue.job_common set heartbeat_on = heartbeat_on - interval '11 seconds' where state = 'active'",
          );
        },
        async close() {
          await emptyDatabase(url);
          await query(url, "truncate proctor_queue.job_common");
        },
      };
    },
    { unnamed: "a command on PostgreSQL leaves its runs to workers" },
  );

  describe("the queue of pg-boss", { timeout: HANG_MS }, () => {
    const HOUR_MS = 3_600_000;
    const told = { redelivered: 0, deadLetters: -1, lagMs: -1 };
    let url: string;
    let ahead = 0;
    let opened: OpenQueue;
    let store: Store;
    let dispatcher: Dispatcher;

    beforeAll(async () => {
      url = await createDatabase();
      const clock = { ...systemClock, now: () => Date.now() + ahead };
      opened = await openPgBossQueue({
        url,
        clock,
        worker: "plain",
        agentConcurrency: 1,
        report: () => undefined,
      });
      opened.observe({
        redelivered: (count) => void (told.redelivered += count),
        deadLetters: (count) => void (told.deadLetters = count),
        noticed: (lagMs) => void (told.lagMs = lagMs),
      });
      store = await openPostgresStore({ url, queue: opened.queue });
      dispatcher = opened.dispatcher(store);
    }, HANG_MS);
    afterAll(async () => {
      await dispatcher.close();
      await store.close();
      await opened.close();
    }, HANG_MS);
    beforeEach(async () => {
      ahead = 0;
      await emptyDatabase(url);
      await query(url, "truncate proctor_queue.job_common");
    });

    const claimOne = async (): Promise<Delivery> => {
      const found: Delivery[] = [];
      await eventually(async () => {
        found.push(...(await dispatcher.claim({ limit: 1, inFlight: {} })).deliveries);
        expect(found).toHaveLength(1);
      });
      const [delivery] = found;
      if (delivery === undefined) throw new Error("nothing was delivered");
      return delivery;
    };
    const age = async (): Promise<unknown> => {
      const [row] = await query(
        url,
        "select extract(hour from now() - started_on)::int as hours from proctor_queue.job_common where state = 'active'",
      );
      return row;
    };
    const letPass = (hours: number): Promise<unknown> =>
      query(url, "update proctor_queue.job_common set started_on = started_on - make_interval(hours => $1)", [
        hours,
      ]);

    it("keeps a job whose run takes longer than a day from expiring", async () => {
      await store.createRun(newRun({}));
      const delivery = await claimOne();
      for (const [passed, hours] of [
        [22, 22],
        [1, 0],
        [22, 22],
        [1, 0],
      ] as const) {
        await letPass(passed);
        ahead += passed * HOUR_MS;
        expect(await dispatcher.beat([delivery])).toEqual([]);
        expect(await age()).toEqual({ hours });
      }
    });

    /** Three runs at work, which were claimed together. */
    const claimThree = async (): Promise<Delivery[]> => {
      const runs = [1, 2, 3].map(() => store.createRun(newRun({ agent: "wide", concurrency: 3 })));
      await Promise.all(runs);
      const jobs = () => query(url, "select id from proctor_queue.job_common");
      await eventually(async () => expect(await jobs()).toHaveLength(3));
      const { deliveries } = await dispatcher.claim({ limit: 3, inFlight: {} });
      expect(deliveries).toHaveLength(3);
      return deliveries;
    };
    const end = ({ claimed: { run, fence } }: Delivery): Promise<unknown> =>
      store.append(run.id, [ended()], { fence });
    /** How many transactions wrote the rows of runs and jobs as they are now. */
    const commits = (): Promise<unknown> =>
      query(
        url,
        "select count(distinct x)::int as count from (select xmin::text as x from runs union all select xmin::text from proctor_queue.job_common) as rows",
      );

    it("starts the runs that are claimed together in one commit with their jobs, and ends them so", async () => {
      const deliveries = await claimThree();
      expect(await commits()).toEqual([{ count: 1 }]);
      await Promise.all(deliveries.map(end));
      expect(await commits()).toEqual([{ count: 1 }]);
      expect(await query(url, "select distinct state::text from proctor_queue.job_common")).toEqual([
        { state: "completed" },
      ]);
      expect(await query(url, "select distinct status, admitted from runs")).toEqual([
        { status: "completed", admitted: null },
      ]);
    });

    it("ends the other runs of a commit when one of them has another owner", async () => {
      const deliveries = await claimThree();
      const lost = deliveries[1]?.claimed.run.id;
      await query(url, "update runs set fence = fence + 1 where id = $1", [lost]);
      const ends = await Promise.allSettled(deliveries.map(end));
      expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect(ends[1]).toMatchObject({ reason: { code: "ILLEGAL_TRANSITION" } });
      expect(
        await query(url, "select id::text from proctor_queue.job_common where state = 'active'"),
      ).toEqual([{ id: lost }]);
    });

    it("says that a run started when it was taken, however long before the claim was called", async () => {
      await store.createRun(newRun({}));
      await eventually(async () => {
        const long = { worker: "plain", limit: 1, now: 1000, agentLimit: 1, inFlight: {} };
        const [claimed] = (await store.claimRuns(long)).claimed;
        expect(claimed).toBeDefined();
        const { started_at, created_at } = claimed?.run ?? {};
        expect(Date.parse(started_at ?? "")).toBeGreaterThanOrEqual(Date.parse(created_at ?? ""));
      });
    });

    it("does not renew a job that somebody else has", async () => {
      await store.createRun(newRun({}));
      const delivery = await claimOne();
      await letPass(23);
      await query(url, "update proctor_queue.job_common set retry_count = retry_count + 1");
      ahead = 23 * HOUR_MS;
      expect(await dispatcher.beat([delivery])).toEqual([delivery]);
      expect(await age()).toEqual({ hours: 23 });
    });

    it("takes the place of an agent back from a run whose labels nobody has any more", async () => {
      const now = Date.now();
      const able = { id: "able", host: "there", pid: 1, version: "0", slots: 1, busy: 0, draining: false };
      const started_at = new Date(now).toISOString();
      await store.workers.beat({ ...able, labels: ["gpu"], started_at }, now, now + HOUR_MS);
      const { run: stranded } = await store.createRun(newRun({ agent: "narrow", requires: ["gpu"] }));
      const admitted = () => query(url, "select id from runs where admitted is not null");
      await eventually(async () => expect(await admitted()).toEqual([{ id: stranded.id }]));
      const { run: other } = await store.createRun(newRun({ agent: "narrow" }));

      await store.workers.remove("able");

      expect((await claimOne()).claimed.run.id).toBe(other.id);
      expect(await admitted()).toEqual([{ id: other.id }]);
      expect(await query(url, "select id::text from proctor_queue.job_common")).toEqual([{ id: other.id }]);
    });

    it("gives a run that requires labels its turn before others that wait for the agent", async () => {
      const now = Date.now();
      const able = { id: "able", host: "there", pid: 1, version: "0", slots: 1, busy: 0, draining: false };
      const started_at = new Date(now).toISOString();
      await store.workers.beat({ ...able, labels: ["gpu"], started_at }, now, now + HOUR_MS);
      await store.createRun(newRun({ agent: "narrow" }));
      const busy = await claimOne();
      await store.createRun(newRun({ agent: "narrow" }));
      const { run } = await store.createRun(newRun({ agent: "narrow", requires: ["gpu"], priority: 1 }));
      await end(busy);
      const admitted = () => query(url, "select id from runs where admitted is not null");
      await eventually(async () => expect(await admitted()).toEqual([{ id: run.id }]));
    });

    it("tells its observer of runs taken over, jobs given up and late notices", async () => {
      await store.createRun(newRun({}));
      await claimOne();
      const before = told.redelivered;
      await query(
        url,
        "update proctor_queue.job_common set heartbeat_on = heartbeat_on - interval '11 seconds'",
      );
      expect((await claimOne()).redelivered).toBe(true);
      expect(told.redelivered).toBe(before + 1);
      await query(
        url,
        "insert into proctor_queue.job_common (name, policy) values ('runs.lost', 'standard')",
      );
      await query(url, "select pg_notify('proctor_work', $1)", [`${Date.now() - 5000} somebody`]);
      await eventually(() => expect(told.deadLetters).toBe(1));
      await eventually(() => expect(told.lagMs).toBeGreaterThanOrEqual(5000));
    });
  });
});
