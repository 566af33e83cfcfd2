// Appends events to a run inside a transaction: fold first, so that an event which is not allowed writes nothing.
import type { NewEvent } from "../../core/ports/store.ts";
import { isTerminal, type RunStatus } from "../../core/run.ts";
import { foldEvents } from "./fold-events.ts";
import { createInsertArtifacts } from "./insert-artifacts.ts";
import { createInsertEvents } from "./insert-events.ts";
import type { RunCache } from "./run-cache.ts";
import { encodeProgress, epochMs, type RunRecord } from "./run-record.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

/** The run after the events. A change of `fence` and `worker` in `before` is written with the change of status. */
export type AppendEvents = (
  tx: Connection,
  before: RunRecord,
  events: readonly NewEvent[],
) => Promise<RunRecord>;

interface Progress {
  id: string;
  next_sequence: number;
  artifact_count: number;
  progress: string;
}

interface Move {
  id: string;
  status: RunStatus;
  started_at: number | null;
  ended_at: number | null;
  worker: string | null;
  fence: number;
}

export function createAppendEvents(dialect: SqlDialect, cache: RunCache): AppendEvents {
  const { builder } = dialect;
  const insertEvents = createInsertEvents(dialect);
  const insertArtifacts = createInsertArtifacts(dialect);
  const saveProgress = template(({ id, next_sequence, artifact_count, progress }: Progress) =>
    builder.updateTable("runs").set({ next_sequence, artifact_count, progress }).where("id", "=", id),
  );
  // Apart from the progress, because indexed columns are expensive to write.
  const saveMove = template(({ id, status, started_at, ended_at, worker, fence }: Move) =>
    builder.updateTable("runs").set({ status, started_at, ended_at, worker, fence }).where("id", "=", id),
  );
  const dropArtifact = template(({ run_id, id }: { run_id: string; id: string }) =>
    builder.deleteFrom("artifacts").where("run_id", "=", run_id).where("id", "=", id),
  );
  const dropSealed = template(({ id }: { id: string }) =>
    builder.updateTable("runs").set({ sealed: null }).where("id", "=", id),
  );

  return async (tx, before, events) => {
    const { id, status } = before.state.run;
    const { state, artifacts, removed, weight } = foldEvents(before.state, id, before.nextSequence, events);
    if (state === null || events.length === 0) return before;
    const { run } = state;
    const nextSequence = before.nextSequence + events.length;
    await insertEvents(tx, id, before.nextSequence, events);
    await insertArtifacts(tx, id, artifacts);
    for (const artifactId of removed) await tx.run(dropArtifact({ run_id: id, id: artifactId }));
    await tx.run(
      saveProgress({
        id,
        next_sequence: nextSequence,
        artifact_count: run.artifacts.length,
        progress: encodeProgress(state),
      }),
    );
    if (run.status !== status) {
      const { worker, fence } = before;
      const times = { started_at: epochMs(run.started_at), ended_at: epochMs(run.ended_at) };
      await tx.run(saveMove({ id, status: run.status, ...times, worker, fence }));
    }
    const after: RunRecord = { ...before, state, nextSequence, weight: before.weight + weight };
    if (isTerminal(run.status)) {
      await tx.run(dropSealed({ id }));
      cache.remove(id);
    } else {
      cache.set(id, after);
    }
    return after;
  };
}
