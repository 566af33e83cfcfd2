// Finds the runs that a queue beside the store gives to a worker.
import type { ClaimRequest } from "../../core/ports/store.ts";
import type { RunQueue } from "../../core/ports/run-queue.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { compile } from "./template.ts";

interface Given {
  takeable: { id: string; sealed: string | null; continuation: string | null }[];
  nextDueAt: null;
  /** When they were taken, in epoch milliseconds. */
  at: number;
}

export function createTakeQueued({ builder }: SqlDialect, queue: RunQueue) {
  const columns = ["id", "sealed", "continuation"] as const;
  return async (tx: Connection, request: ClaimRequest): Promise<Given> => {
    const { ids, at } = await queue.take(tx, request);
    if (ids.length === 0) return { takeable: [], nextDueAt: null, at };
    const rows = await tx.all(compile(builder.selectFrom("runs").select(columns).where("id", "in", ids)));
    const byId = new Map(rows.map((row) => [row.id, row]));
    // A run that was removed still has its job, which is to go.
    const gone = (id: string) => ({ id, sealed: null, continuation: null });
    return { takeable: ids.map((id) => byId.get(id) ?? gone(id)), nextDueAt: null, at };
  };
}
