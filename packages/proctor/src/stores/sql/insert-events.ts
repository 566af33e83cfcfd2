// Writes events into the log, many rows per statement: the statements have a few fixed sizes, so each is prepared once.
import type { NewEvent } from "../../core/ports/store.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";

const ROWS_PER_STATEMENT = [64, 16, 4, 2, 1] as const;

type InsertEvents = (
  tx: Connection,
  runId: string,
  firstSequence: number,
  events: readonly NewEvent[],
) => Promise<void>;

export function createInsertEvents({ builder }: SqlDialect): InsertEvents {
  const statements = ROWS_PER_STATEMENT.map((rows) => {
    const row = { run_id: "", sequence: 0, timestamp: 0, type: "log", payload: "", origin: null } as const;
    const { sql } = builder
      .insertInto("events")
      .values(Array.from({ length: rows }, () => row))
      .compile();
    return { rows, sql };
  });

  return async (tx, runId, firstSequence, events) => {
    let next = 0;
    for (const { rows, sql } of statements) {
      while (events.length - next >= rows) {
        const parameters: unknown[] = [];
        for (let end = next + rows; next < end; next++) {
          const event = events[next];
          if (event === undefined) break;
          const { draft, timestamp, payload } = event;
          const origin = draft.origin === undefined ? null : JSON.stringify(draft.origin);
          // In the order of the columns above.
          parameters.push(runId, firstSequence + next, timestamp, draft.type, payload, origin);
        }
        await tx.run({ sql, parameters });
      }
    }
  };
}
