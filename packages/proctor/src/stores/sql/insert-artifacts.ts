// Records where in the log a run's artifacts are, and the hash of their bytes.
import { contentSha256 } from "../../core/artifact.ts";
import type { PlacedArtifact } from "./fold-events.ts";
import type { ArtifactsTable } from "./schema.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

type InsertArtifacts = (tx: Connection, runId: string, artifacts: readonly PlacedArtifact[]) => Promise<void>;

export function createInsertArtifacts({ builder }: SqlDialect): InsertArtifacts {
  const insert = template(({ run_id, sequence, id, sha256, stored_as }: ArtifactsTable) =>
    builder.insertInto("artifacts").values({ run_id, sequence, id, sha256, stored_as }),
  );
  return async (tx, runId, artifacts) => {
    for (const { sequence, artifact, storedAs } of artifacts) {
      const sha256 = contentSha256(artifact) ?? null;
      await tx.run(insert({ run_id: runId, sequence, id: artifact.id, sha256, stored_as: storedAs }));
    }
  };
}
