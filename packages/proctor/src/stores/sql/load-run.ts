// Reads runs with their artifacts.
import { eventPayload } from "./long-payloads.ts";
import type { RunCache } from "./run-cache.ts";
import { decodeRunRow, type RunRecord, type RunRow } from "./run-record.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

export interface RunLoader {
  load(connection: Connection, id: string): Promise<RunRecord | undefined>;
  /** Loads a run that this transaction is about to change, and locks it until the transaction ends. */
  loadForUpdate(tx: Connection, id: string): Promise<RunRecord | undefined>;
  /** Loads the rest of a run whose row was selected with `selectRuns`. */
  complete(connection: Connection, row: RunRow): Promise<RunRecord>;
}

/** Selects the columns of RunRow; the caller adds which runs. */
export function selectRuns({ builder }: SqlDialect) {
  return builder
    .selectFrom("runs")
    .innerJoin("events", (join) => join.onRef("events.run_id", "=", "runs.id").on("events.sequence", "=", 0))
    .select([
      "runs.id",
      "runs.created_at",
      "runs.next_sequence",
      "runs.fence",
      "runs.worker",
      "runs.artifact_count",
      "runs.progress",
      eventPayload().as("created"),
    ]);
}

/** Selects payloads of `artifact.added`; the caller adds which artifacts. */
export function selectArtifacts({ builder }: SqlDialect) {
  return builder
    .selectFrom("artifacts")
    .innerJoin("events", (join) =>
      join
        .onRef("events.run_id", "=", "artifacts.run_id")
        .onRef("events.sequence", "=", "artifacts.sequence"),
    )
    .select(eventPayload().as("payload"));
}

export function createRunLoader(dialect: SqlDialect, cache: RunCache): RunLoader {
  const one = template(({ id }: { id: string }) => selectRuns(dialect).where("runs.id", "=", id));
  const locked = template(({ id }: { id: string }) =>
    selectRuns(dialect).where("runs.id", "=", id).modifyEnd(dialect.lockRun),
  );
  const artifacts = template(({ id, limit }: { id: string; limit: number }) =>
    selectArtifacts(dialect).where("artifacts.run_id", "=", id).orderBy("artifacts.sequence").limit(limit),
  );

  async function complete(connection: Connection, row: RunRow): Promise<RunRecord> {
    if (row.artifact_count === 0) return decodeRunRow(row, []);
    // The first `artifact_count` belong to the row, even if more came since it was read.
    const found = await connection.all(artifacts({ id: row.id, limit: row.artifact_count }));
    return decodeRunRow(
      row,
      found.map(({ payload }) => payload),
    );
  }

  return {
    complete,
    async load(connection, id) {
      const row = await connection.first(one({ id }));
      return row && complete(connection, row);
    },
    async loadForUpdate(tx, id) {
      const cached = cache.get(id);
      if (cached) return cached;
      const row = await tx.first(locked({ id }));
      return row && complete(tx, row);
    },
  };
}
