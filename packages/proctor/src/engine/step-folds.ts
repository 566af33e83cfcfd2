// The steps of runs, folded from their logs. Recent folds are kept, so that a read costs only the events since; how much is kept is
// bounded.
import { setImmediate as nextTurn } from "node:timers/promises";
import { foldAllSteps, NO_STEPS, type StepsState } from "../core/fold-steps.ts";
import type { EventType, RunEvent } from "../core/event.ts";
import { createOldestKey } from "../core/oldest-key.ts";
import { decodeRecord, type EventRecord, type Store } from "../core/ports/store.ts";
import type { Run } from "../core/run.ts";

export interface StepFold {
  state: StepsState;
  /** Sequence of the last event in the fold. */
  sequence: number;
  /** Characters that the fold holds, roughly. */
  weight: number;
  /** The run as the store gave it before the log was read. */
  asOf?: Run;
}

export interface StepFolds {
  /**
   * Folds up to the end of the log as it is now. When `run` is the object that the store gave at the last read, nothing was committed
   * since, and the log is not read.
   */
  read(runId: string, run?: Run): Promise<StepFold>;
  /** Extends the fold by events that are known to follow. */
  advance(runId: string, fold: StepFold, events: readonly RunEvent[]): StepFold;
  forget(runId: string): void;
}

const MAX_RUNS = 64;
const MAX_WEIGHT = 32 * 1024 * 1024;
const FIRST_PAGE = 64;
const LARGEST_PAGE = 1024;
/** Characters that a page should have, roughly: fewer events are read when they are large. */
const PAGE_TARGET = 1024 * 1024;

/** Frequent events that change neither a run nor its steps. */
const SILENT: ReadonlySet<EventType> = new Set<EventType>([
  "log",
  "state_change",
  "artifact_created",
  "error",
  "process.exited",
  "unknown",
  "run.cancel_requested",
  "run.pause_requested",
  "run.resume_requested",
  "message.extended",
  "artifact.opened",
  "artifact.extended",
]);

export function createStepFolds(store: Store): StepFolds {
  const folds = new Map<string, StepFold>();
  const oldestKey = createOldestKey(folds);
  let weight = 0;

  function forget(runId: string): void {
    weight -= folds.get(runId)?.weight ?? 0;
    folds.delete(runId);
  }

  function keep(runId: string, fold: StepFold): void {
    const known = folds.get(runId);
    if (known !== undefined && known.sequence > fold.sequence) return;
    forget(runId);
    folds.set(runId, fold);
    weight += fold.weight;
    while (folds.size > 1 && (folds.size > MAX_RUNS || weight > MAX_WEIGHT)) {
      const oldest = oldestKey();
      if (oldest !== undefined) forget(oldest);
    }
  }

  /** Marks a fold as just read: those that were read longest ago are forgotten first. */
  function touch(runId: string, fold: StepFold): void {
    folds.delete(runId);
    folds.set(runId, fold);
  }

  return {
    forget,
    async read(runId, run) {
      let fold = folds.get(runId) ?? { state: NO_STEPS, sequence: -1, weight: 0 };
      if (run !== undefined && fold.asOf === run) {
        touch(runId, fold);
        return fold;
      }
      for (let limit = FIRST_PAGE; ;) {
        const records = await store.readEvents(runId, fold.sequence, limit);
        fold = foldRecords(fold, records);
        if (records.length < limit) break;
        // A log may be long, and its store may answer at once: other work gets its turn between pages.
        await nextTurn();
        const chars = records.reduce((sum, { payload }) => sum + payload.length, 0);
        limit = chars > PAGE_TARGET ? Math.max(1, limit >> 1) : Math.min(LARGEST_PAGE, limit << 1);
      }
      if (run !== undefined) fold = { ...fold, asOf: run };
      if (fold.sequence >= 0) keep(runId, fold);
      return fold;
    },
    advance(runId, fold, events) {
      const state = foldAllSteps(fold.state, events);
      const grown = state.weight - fold.state.weight;
      const after = { state, sequence: fold.sequence + events.length, weight: fold.weight + grown };
      keep(runId, after);
      return after;
    },
  };
}

function foldRecords(fold: StepFold, records: readonly EventRecord[]): StepFold {
  const last = records.at(-1);
  if (last === undefined) return fold;
  const events = records.filter(({ type }) => !SILENT.has(type)).map(decodeRecord);
  const state = foldAllSteps(fold.state, events);
  // The run's own document grows by its first event and its artifacts.
  const document = records.reduce(
    (sum, { type, payload }) =>
      sum + (type === "run.created" || type === "artifact.added" ? payload.length : 0),
    0,
  );
  return {
    state,
    sequence: last.sequence,
    weight: fold.weight + document + state.weight - fold.state.weight,
  };
}
