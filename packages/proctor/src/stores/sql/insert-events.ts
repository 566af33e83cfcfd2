// Writes events into the log, many rows per statement: the statements have a few fixed sizes, so each is prepared once.
import { sql } from "kysely";
import type { NewEvent } from "../../core/ports/store.ts";
import { FEED_STRIDE, type Positions } from "./feed.ts";
import { createLongPayloads, LOG_PAYLOAD_CHARS } from "./long-payloads.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";

/** Rows of the fixed statements: most runs write up to eight events at a time, which go in one statement. */
const ROWS_PER_STATEMENT = [64, 16, 8, 7, 6, 5, 4, 3, 2, 1] as const;

export type InsertEvents = (
  tx: Connection,
  runId: string,
  firstSequence: number,
  events: readonly NewEvent[],
) => Promise<void>;

export function createInsertEvents(dialect: SqlDialect, positions: Positions): InsertEvents {
  const { builder, nextPosition } = dialect;
  /** Number of events after which a position is written, in addition to the one after the last. A multiple of the largest statement. */
  const stride = nextPosition ? FEED_STRIDE : Infinity;
  const longPayloads = createLongPayloads(dialect);
  const row = { run_id: "", sequence: 0, timestamp: 0, type: "log", payload: "", origin: null } as const;
  /** Statements by the number of rows, negative with a position. */
  const texts = new Map<number, string>();

  /** Returns the statement for this number of rows; `isLast` when the last of them has a position. */
  function statement(rows: number, isLast: boolean): string {
    const key = isLast ? -rows : rows;
    const known = texts.get(key);
    if (known !== undefined) return known;
    const values = Array.from({ length: rows - 1 }, () => ({ ...row, position: sql<null>`null` }));
    const last = { ...row, position: isLast ? (nextPosition ?? 0) : sql<null>`null` };
    const text = builder
      .insertInto("events")
      .values([...values, last])
      .compile().sql;
    texts.set(key, text);
    return text;
  }

  return async (tx, runId, firstSequence, events) => {
    const taken = positions.take(tx, events.length);
    const position = typeof taken === "number" ? taken : await taken;
    let next = 0;
    for (const rows of ROWS_PER_STATEMENT) {
      while (events.length - next >= rows) {
        const parameters: unknown[] = [];
        for (let end = next + rows; next < end; next++) {
          const event = events[next];
          if (event === undefined) break;
          const { draft, timestamp, payload } = event;
          const origin = draft.origin === undefined ? null : JSON.stringify(draft.origin);
          const sequence = firstSequence + next;
          const isLong = payload.length > LOG_PAYLOAD_CHARS;
          if (isLong) await longPayloads.insert(tx, { run_id: runId, sequence, payload });
          // In the order of the columns above.
          parameters.push(runId, sequence, timestamp, draft.type, isLong ? "" : payload, origin);
        }
        const isLast = next === events.length || next % stride === 0;
        if (isLast && !nextPosition) parameters.push(position);
        await tx.run({ sql: statement(rows, isLast), parameters });
      }
    }
  };
}
