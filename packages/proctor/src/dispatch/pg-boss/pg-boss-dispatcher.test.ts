import { describe } from "vitest";
import { createDatabase, emptyDatabase, lacksPostgres, query } from "../../../test/support/postgres.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { openPostgresStore } from "../../stores/postgres/open-store.ts";
import { dispatcherCases } from "../dispatcher.case.ts";
import { openPgBossQueue } from "./pg-boss-dispatcher.ts";

describe.skipIf(await lacksPostgres("the dispatcher over pg-boss"))("on a real server", () => {
  let shared: Promise<string> | undefined;

  dispatcherCases(
    "the dispatcher over pg-boss",
    async () => {
      const url = await (shared ??= createDatabase());
      return {
        async open(worker, labels) {
          const opened = await openPgBossQueue({
            url,
            clock: systemClock,
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
});
