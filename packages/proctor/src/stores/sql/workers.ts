// Until when each worker is known to be alive. A lease belongs to a worker, not to a run, so that runs cost nothing more.
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

type Renew = (tx: Connection, worker: string, untilMs: number) => Promise<void>;

export function createRenew({ builder }: SqlDialect): Renew {
  const save = template(({ id, alive_until }: { id: string; alive_until: number }) =>
    builder
      .insertInto("workers")
      .values({ id, alive_until })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ alive_until })),
  );
  return async (tx, id, alive_until) => {
    await tx.run(save({ id, alive_until }));
  };
}
