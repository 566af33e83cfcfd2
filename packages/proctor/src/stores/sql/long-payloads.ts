// Long payloads live in a table of their own, and the log has an empty text in their place: SQLite reads all of a row of the log to
// compare its key, so that one event of 5 MB would slow down every run whose events lie near it.
import { sql, type RawBuilder } from "kysely";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

/** Most characters of a payload in the log itself. */
export const LOG_PAYLOAD_CHARS = 16 * 1024;

interface LongPayload {
  run_id: string;
  sequence: number;
  payload: string;
}

export interface LongPayloads {
  insert(tx: Connection, row: LongPayload): Promise<void>;
  /** Removes the long payloads of the run's events up to this one. */
  remove(tx: Connection, runId: string, lastSequence: number): Promise<void>;
}

export function createLongPayloads({ builder }: SqlDialect): LongPayloads {
  const add = template(({ run_id, sequence, payload }: LongPayload) =>
    builder.insertInto("long_payloads").values({ run_id, sequence, payload }),
  );
  const drop = template(({ run_id, last }: { run_id: string; last: number }) =>
    builder.deleteFrom("long_payloads").where("run_id", "=", run_id).where("sequence", "<=", last),
  );
  return {
    async insert(tx, row) {
      await tx.run(add(row));
    },
    async remove(tx, runId, last) {
      await tx.run(drop({ run_id: runId, last }));
    },
  };
}

/** Selects the payload of a row of `events`, wherever it is. */
export const eventPayload = (): RawBuilder<string> => wherever((payload) => payload);

/** Selects the number of bytes of that payload, without reading it. */
export const eventPayloadBytes = (): RawBuilder<number> =>
  wherever((payload) => sql<number>`octet_length(${payload})`);

function wherever<Value>(of: (payload: RawBuilder<string>) => RawBuilder<Value>): RawBuilder<Value> {
  const here = sql`long.run_id = events.run_id and long.sequence = events.sequence`;
  const long = sql`select ${of(sql`long.payload`)} from long_payloads as long where ${here}`;
  return sql<Value>`case when events.payload = '' then (${long}) else ${of(sql`events.payload`)} end`;
}
