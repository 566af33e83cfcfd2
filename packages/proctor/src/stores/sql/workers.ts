// Until when each worker is known to be alive, and what operators are told of it. A lease belongs to a worker, not to a run, so that
// runs cost nothing more.
import type { Worker, WorkerBeat } from "../../core/worker.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

interface WorkerQueries {
  renew(tx: Connection, worker: string, untilMs: number): Promise<void>;
  beat(tx: Connection, worker: WorkerBeat, nowMs: number, untilMs: number): Promise<{ drain: boolean }>;
  list(connection: Connection, nowMs: number): Promise<Worker[]>;
  drain(tx: Connection, id: string): Promise<boolean>;
  remove(tx: Connection, id: string): Promise<void>;
}

/** The parts of a worker outside the columns that change. */
type Document = Omit<Worker, "id" | "busy" | "alive" | "draining">;

/** Milliseconds that a worker which is gone is still listed. */
const LISTED_MS = 3_600_000;

export function createWorkerQueries({ builder }: SqlDialect): WorkerQueries {
  const save = template(({ id, alive_until }: { id: string; alive_until: number }) =>
    builder
      .insertInto("workers")
      .values({ id, alive_until, busy: 0, draining: 0 })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ alive_until })),
  );
  const describe = template(({ id, document, busy }: { id: string; document: string; busy: number }) =>
    builder.updateTable("workers").set({ document, busy }).where("id", "=", id),
  );
  const forget = template(({ before }: { before: number }) =>
    builder.deleteFrom("workers").where("alive_until", "<", before).where("document", "is not", null),
  );
  const one = template(({ id }: { id: string }) =>
    builder.selectFrom("workers").select("draining").where("id", "=", id),
  );
  const all = template(({ since }: { since: number }) =>
    builder
      .selectFrom("workers")
      .selectAll()
      .where("document", "is not", null)
      .where("alive_until", ">=", since)
      .orderBy("alive_until", "desc")
      .orderBy("id"),
  );
  const mark = template(({ id }: { id: string }) =>
    builder
      .updateTable("workers")
      .set({ draining: 1 })
      .where("id", "=", id)
      .where("document", "is not", null),
  );
  const drop = template(({ id }: { id: string }) => builder.deleteFrom("workers").where("id", "=", id));

  async function renew(tx: Connection, id: string, alive_until: number): Promise<void> {
    await tx.run(save({ id, alive_until }));
  }

  return {
    renew,
    async beat(tx, { id, busy, draining, ...rest }, nowMs, untilMs) {
      await renew(tx, id, untilMs);
      const document: Document = { ...rest, seen_at: new Date(nowMs).toISOString() };
      await tx.run(describe({ id, document: JSON.stringify({ ...document, draining }), busy }));
      await tx.run(forget({ before: nowMs - LISTED_MS }));
      return { drain: (await tx.first(one({ id })))?.draining === 1 };
    },
    async list(connection, nowMs) {
      const rows = await connection.all(all({ since: nowMs - LISTED_MS }));
      return rows.map(({ id, busy, draining, alive_until, document }) => {
        // Written by `beat` from a typed value.
        const said = JSON.parse(document ?? "{}") as Document & { draining: boolean };
        return { ...said, id, busy, draining: draining === 1 || said.draining, alive: alive_until > nowMs };
      });
    },
    drain: async (tx, id) => (await tx.run(mark({ id }))) > 0,
    async remove(tx, id) {
      await tx.run(drop({ id }));
    },
  };
}
