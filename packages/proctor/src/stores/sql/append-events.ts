// Appends events to a run inside a transaction, statement by statement.
import type { NewEvent } from "../../core/ports/store.ts";
import { isTerminal, type RunStatus } from "../../core/run.ts";
import { createInsertArtifacts } from "./insert-artifacts.ts";
import type { InsertEvents } from "./insert-events.ts";
import { finalCost, planAppend, waitsOf, type Owner, type Waits } from "./plan-append.ts";
import type { RunCache } from "./run-cache.ts";
import { encodeProgress, epochMs, type RunRecord } from "./run-record.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

/** Resolves with the run after the events. `claimedBy` is its new owner, when that is what the events are about. */
export type AppendEvents = (
  tx: Connection,
  before: RunRecord,
  events: readonly NewEvent[],
  claimedBy?: Owner,
) => Promise<RunRecord>;

interface Progress {
  id: string;
  next_sequence: number;
  artifact_count: number;
  progress: string;
}

interface Move extends Progress {
  status: RunStatus;
  started_at: number | null;
  ended_at: number | null;
  worker: string | null;
  fence: number;
}

/** Reads the values one by one: a template has slots instead of the values. */
function moveColumns(move: Move): Omit<Move, "id"> {
  return {
    next_sequence: move.next_sequence,
    artifact_count: move.artifact_count,
    progress: move.progress,
    status: move.status,
    started_at: move.started_at,
    ended_at: move.ended_at,
    worker: move.worker,
    fence: move.fence,
  };
}

export function createAppendEvents(
  dialect: SqlDialect,
  cache: RunCache,
  insertEvents: InsertEvents,
): AppendEvents {
  const { builder } = dialect;
  const insertArtifacts = createInsertArtifacts(dialect);
  const saveProgress = template(({ id, next_sequence, artifact_count, progress }: Progress) =>
    builder.updateTable("runs").set({ next_sequence, artifact_count, progress }).where("id", "=", id),
  );
  // Apart from the progress alone, because indexed columns are expensive to write.
  const saveMove = template((move: Move) =>
    builder.updateTable("runs").set(moveColumns(move)).where("id", "=", move.id),
  );
  // The end also drops what was sealed: one statement, because every run has one.
  const saveEnd = template((move: Move) =>
    builder
      .updateTable("runs")
      .set({ ...moveColumns(move), sealed: null })
      .where("id", "=", move.id),
  );
  const saveWaits = template(({ id, expires_at, check_at }: Waits & { id: string }) =>
    builder.updateTable("runs").set({ expires_at, check_at }).where("id", "=", id),
  );
  const saveDue = template(({ id, not_before }: { id: string; not_before: number }) =>
    builder.updateTable("runs").set({ not_before }).where("id", "=", id),
  );
  // Few runs have either: the others pay nothing for the filters.
  const saveCost = template(({ id, cost_usd }: { id: string; cost_usd: number }) =>
    builder.updateTable("runs").set({ cost_usd }).where("id", "=", id),
  );
  const saveViolated = template(({ id }: { id: string }) =>
    builder.updateTable("runs").set({ violated: 1 }).where("id", "=", id),
  );
  const dropArtifact = template(({ run_id, id }: { run_id: string; id: string }) =>
    builder.deleteFrom("artifacts").where("run_id", "=", run_id).where("id", "=", id),
  );

  return async (tx, before, events, claimedBy) => {
    const planned = planAppend(before, events, claimedBy);
    if (planned === undefined) return before;
    const { after, artifacts, removed, notBefore } = planned;
    const { state, worker, fence } = after;
    const { run } = state;
    const { id, status } = before.state.run;
    await insertEvents(tx, id, before.nextSequence, events);
    await insertArtifacts(tx, id, artifacts);
    for (const artifactId of removed) await tx.run(dropArtifact({ run_id: id, id: artifactId }));
    const progress = {
      id,
      next_sequence: after.nextSequence,
      artifact_count: run.artifacts.length,
      progress: encodeProgress(state),
    };
    if (run.status === status && fence === before.fence) await tx.run(saveProgress(progress));
    else {
      const save = isTerminal(run.status) ? saveEnd : saveMove;
      const times = { started_at: epochMs(run.started_at), ended_at: epochMs(run.ended_at) };
      await tx.run(save({ status: run.status, worker, fence, ...times, ...progress }));
    }
    const cost = finalCost(run);
    if (cost !== null) await tx.run(saveCost({ id, cost_usd: cost }));
    if (run.violations.length > 0 && before.state.run.violations.length === 0)
      await tx.run(saveViolated({ id }));
    if (state.talk !== undefined) {
      const waits = waitsOf(state);
      const known = waitsOf(before.state);
      const isNew = waits.expires_at !== known.expires_at || waits.check_at !== known.check_at;
      if (isNew) await tx.run(saveWaits({ id, ...waits }));
      if (notBefore !== null) await tx.run(saveDue({ id, not_before: notBefore }));
    }
    if (isTerminal(run.status)) cache.remove(id);
    else cache.set(id, after);
    return after;
  };
}
