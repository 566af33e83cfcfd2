import { expect, it } from "vitest";
import { HANG_MS } from "../../../test/support/eventually.ts";
import { createDatabase, lacksPostgres, query } from "../../../test/support/postgres.ts";
import { newRun } from "../../../test/support/stores/fixtures.ts";
import { openPostgresStore } from "../../stores/postgres/open-store.ts";
import { createAdmission } from "./admission.ts";
import { openBoss } from "./open-boss.ts";
import { openPool, type QueuePool } from "./open-pool.ts";

it.skipIf(await lacksPostgres("the admission of runs"))(
  "a run that requires labels has its turn, even when it comes while another's is being looked at",
  { timeout: HANG_MS },
  async () => {
    const url = await createDatabase();
    const store = await openPostgresStore({ url });
    const pool = await openPool(url, 2);
    const boss = await openBoss(pool, () => undefined);
    try {
      const now = Date.now();
      const able = { id: "able", host: "there", pid: 1, version: "0", slots: 1, busy: 0, draining: false };
      const started_at = new Date(now).toISOString();
      await store.workers.beat({ ...able, labels: ["gpu"], started_at }, now, now + HANG_MS);
      await store.createRun(newRun({ agent: "narrow" }));
      let urgent: string | undefined;
      const between: QueuePool = {
        ...pool,
        async query<Row>(sql: string, parameters?: readonly unknown[]) {
          const rows = await pool.query<Row>(sql, parameters);
          const draft = newRun({ agent: "narrow", requires: ["gpu"], priority: 1 });
          if (sql.includes("as waits")) urgent ??= (await store.createRun(draft)).run.id;
          return rows;
        },
      };
      const admission = createAdmission({ pool: between, boss, agentLimit: 1, now: Date.now });

      await admission.admit("narrow");

      expect(await query(url, "select id from runs where admitted is not null")).toEqual([{ id: urgent }]);
    } finally {
      await boss.stop();
      await pool.close();
      await store.close();
    }
  },
);
