// Reads parts of a run's log: a stretch of events, or the one that holds an artifact.
import type { Artifact } from "../../core/artifact.ts";
import type { EventRecord } from "../../core/ports/store.ts";
import { selectArtifacts } from "./load-run.ts";
import { eventPayload } from "./long-payloads.ts";
import { decodeArtifact } from "./run-record.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

/** Most events that are loaded at once, however many are requested. */
const MAX_EVENTS_READ = 10_000;

interface LogQueries {
  readEvents(connection: Connection, runId: string, after: number, limit: number): Promise<EventRecord[]>;
  readArtifact(connection: Connection, runId: string, artifactId: string): Promise<Artifact | undefined>;
}

export function createLogQueries(dialect: SqlDialect): LogQueries {
  const events = template(({ run_id, after, limit }: { run_id: string; after: number; limit: number }) =>
    dialect.builder
      .selectFrom("events")
      .select(["sequence", "timestamp", "type", eventPayload().as("payload"), "origin"])
      .where("run_id", "=", run_id)
      .where("sequence", ">", after)
      // A removed run may have events left.
      .where((eb) => eb.exists(eb.selectFrom("runs").select("ordinal").where("id", "=", run_id)))
      .orderBy("sequence")
      .limit(limit),
  );
  const artifact = template(({ run_id, id }: { run_id: string; id: string }) =>
    selectArtifacts(dialect).where("artifacts.run_id", "=", run_id).where("artifacts.id", "=", id).limit(1),
  );
  return {
    async readEvents(connection, runId, after, limit) {
      const most = Math.min(Math.max(Math.trunc(limit) || 0, 0), MAX_EVENTS_READ);
      const rows = await connection.all(events({ run_id: runId, after, limit: most }));
      // Not selected, which saves a text per row; set in place, because logs are long.
      return rows.map((row) => Object.assign(row, { run_id: runId }));
    },
    async readArtifact(connection, runId, artifactId) {
      const row = await connection.first(artifact({ run_id: runId, id: artifactId }));
      return row && decodeArtifact(row.payload);
    },
  };
}
