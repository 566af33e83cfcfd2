import { describe, expect, it } from "vitest";
import { eventually, HANG_MS } from "../../../test/support/eventually.ts";
import { createDatabase, lacksPostgres, query } from "../../../test/support/postgres.ts";
import { openNotices } from "./notices.ts";
import { openPool } from "./open-pool.ts";

describe.skipIf(await lacksPostgres("notices of waiting runs"))("notices of waiting runs", () => {
  it(
    "reach other processes at once, those that follow together, and never their sender",
    { timeout: HANG_MS },
    async () => {
      const url = await createDatabase();
      const pool = await openPool(url, 2);
      const heard = { own: 0, other: 0 };
      const named = new Set<string>();
      const open = (who: keyof typeof heard) =>
        openNotices({
          url,
          pool,
          now: () => Date.now(),
          onNotice(notice) {
            heard[who]++;
            for (const queue of notice?.queues ?? []) named.add(queue);
          },
          report: () => undefined,
        });
      const sender = open("own");
      const receiver = open("other");
      try {
        // Each looks once when it has begun to listen.
        await eventually(() => expect(heard).toEqual({ own: 1, other: 1 }));
        for (const queue of ["runs", "runs/a b", "runs/gpu"]) sender.send([queue]);
        await eventually(() => expect(heard.other).toBe(3));
        // Notices on two connections may overtake one another.
        expect(named).toEqual(new Set(["runs", "runs/a b", "runs/gpu"]));
        await query(url, "select pg_notify('proctor_work', '0 somebody')");
        await eventually(() => expect(heard.own).toBeGreaterThanOrEqual(2));
        await eventually(() => expect(heard.other).toBe(4));
        expect(heard.own).toBe(2);
      } finally {
        await sender.close();
        await receiver.close();
        await pool.close();
      }
    },
  );
});
