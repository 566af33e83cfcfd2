// Appends events to a run inside a transaction: fold first, so that an event which is not allowed writes nothing.
import type { NewEvent } from "../../core/ports/store.ts";
import type { RunState } from "../../core/fold.ts";
import { isHeld } from "../../core/run-machine.ts";
import { isTerminal, type Run, type RunStatus } from "../../core/run.ts";
import { foldEvents } from "./fold-events.ts";
import { createInsertArtifacts } from "./insert-artifacts.ts";
import type { InsertEvents } from "./insert-events.ts";
import type { RunCache } from "./run-cache.ts";
import { encodeProgress, epochMs, type RunRecord } from "./run-record.ts";
import type { Connection, SqlDialect } from "./sql-backend.ts";
import { template } from "./template.ts";

type Owner = Pick<RunRecord, "worker" | "fence">;

/** The run after the events. `claimedBy` is its new owner, when that is what the events are about. */
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

/** What waits for somebody outside. */
interface Waits {
  id: string;
  expires_at: number | null;
  check_at: number | null;
}

/** Read one by one: a template has slots in place of the values. */
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
  const saveWaits = template(({ id, expires_at, check_at }: Waits) =>
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
    const { id, status } = before.state.run;
    const { state, artifacts, removed, weight } = foldEvents(before.state, id, before.nextSequence, events);
    if (state === null || events.length === 0) return before;
    const { run } = state;
    const nextSequence = before.nextSequence + events.length;
    await insertEvents(tx, id, before.nextSequence, events);
    await insertArtifacts(tx, id, artifacts);
    for (const artifactId of removed) await tx.run(dropArtifact({ run_id: id, id: artifactId }));
    const { worker, fence } = claimedBy ?? ownerAfter(before, state);
    const progress = {
      id,
      next_sequence: nextSequence,
      artifact_count: run.artifacts.length,
      progress: encodeProgress(state),
    };
    if (run.status === status && fence === before.fence) await tx.run(saveProgress(progress));
    else {
      const times = { started_at: epochMs(run.started_at), ended_at: epochMs(run.ended_at) };
      const save = isTerminal(run.status) ? saveEnd : saveMove;
      await tx.run(save({ ...progress, ...times, status: run.status, worker, fence }));
    }
    const { cost_usd = 0 } = run.metrics;
    if (isTerminal(run.status) && cost_usd > 0) await tx.run(saveCost({ id, cost_usd }));
    if (run.violations.length > 0 && before.state.run.violations.length === 0)
      await tx.run(saveViolated({ id }));
    if (state.talk !== undefined) {
      const waits = waitsOf(state);
      const known = waitsOf(before.state);
      const isNew = waits.expires_at !== known.expires_at || waits.check_at !== known.check_at;
      if (isNew) await tx.run(saveWaits({ id, ...waits }));
      const isDue = run.status === "queued" && isHeld(status);
      if (isDue) await tx.run(saveDue({ id, not_before: events.at(-1)?.timestamp ?? 0 }));
    }
    const after: RunRecord = {
      ...before,
      worker,
      fence,
      state,
      nextSequence,
      weight: before.weight + weight,
    };
    if (isTerminal(run.status)) cache.remove(id);
    else cache.set(id, after);
    return after;
  };
}

/** Parking takes the run from its worker, who can write nothing more to it. */
function ownerAfter(before: RunRecord, { talk }: RunState): Owner {
  const { worker, fence } = before;
  return talk?.parked === true && worker !== null && before.state.talk?.parked !== true
    ? { worker: null, fence: fence + 1 }
    : { worker, fence };
}

function waitsOf(state: RunState): Omit<Waits, "id"> {
  return { expires_at: firstExpiry(state.run), check_at: checkAt(state) };
}

function firstExpiry({ questions }: Run): number | null {
  return questions.reduce<number | null>((first, { expires_at }) => {
    const at = Date.parse(expires_at);
    return first === null ? at : Math.min(first, at);
  }, null);
}

/** Only a run that stays parked is looked after. */
function checkAt({ run, talk }: RunState): number | null {
  if (talk?.parked !== true || talk.check_at === undefined || run.status !== "waiting") return null;
  return Date.parse(talk.check_at);
}
