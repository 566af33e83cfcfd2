// What an append changes about a run, worked out before anything is written: an event which is not allowed writes nothing.
import type { NewEvent } from "../../core/ports/store.ts";
import type { RunState } from "../../core/fold.ts";
import { isHeld } from "../../core/run-machine.ts";
import { isTerminal, type Run } from "../../core/run.ts";
import { foldEvents, type PlacedArtifact } from "./fold-events.ts";
import type { RunRecord } from "./run-record.ts";

export type Owner = Pick<RunRecord, "worker" | "fence">;

/** Times for which the run waits. */
export interface Waits {
  expires_at: number | null;
  check_at: number | null;
}

export interface PlannedAppend {
  before: RunRecord;
  events: readonly NewEvent[];
  /** The run after the events. */
  after: RunRecord;
  artifacts: readonly PlacedArtifact[];
  /** Ids of artifacts that are removed, after `artifacts` were added. */
  removed: readonly string[];
  /** When the run may be claimed, in epoch milliseconds, where the append queues it; null where that stays as it is. */
  notBefore: number | null;
}

/**
 * Throws ILLEGAL_TRANSITION when an event is not allowed in its place; undefined when there is nothing to write. `claimedBy` is the run's
 * new owner, when that is what the events are about.
 */
export function planAppend(
  before: RunRecord,
  events: readonly NewEvent[],
  claimedBy?: Owner,
): PlannedAppend | undefined {
  const { id, status } = before.state.run;
  const { state, artifacts, removed, weight } = foldEvents(before.state, id, before.nextSequence, events);
  if (state === null || events.length === 0) return undefined;
  const { worker, fence } = claimedBy ?? ownerAfter(before, state);
  const isDue = state.talk !== undefined && state.run.status === "queued" && isHeld(status);
  return {
    before,
    events,
    artifacts,
    removed,
    after: {
      ...before,
      worker,
      fence,
      state,
      nextSequence: before.nextSequence + events.length,
      weight: before.weight + weight,
    },
    notBefore: isDue ? (events.at(-1)?.timestamp ?? 0) : null,
  };
}

/** Returns the owner after the events: parking takes the run from its worker, who can write nothing more to it. */
function ownerAfter(before: RunRecord, { talk }: RunState): Owner {
  const { worker, fence } = before;
  return talk?.parked === true && worker !== null && before.state.talk?.parked !== true
    ? { worker: null, fence: fence + 1 }
    : { worker, fence };
}

export function waitsOf(state: RunState): Waits {
  return { expires_at: firstExpiry(state.run), check_at: checkAt(state) };
}

/** Returns the cost of an ended run; null while it has not ended, and where it cost nothing. */
export function finalCost({ status, metrics: { cost_usd = 0 } }: Run): number | null {
  return isTerminal(status) && cost_usd > 0 ? cost_usd : null;
}

function firstExpiry({ questions }: Run): number | null {
  return questions.reduce<number | null>((first, { expires_at }) => {
    const at = Date.parse(expires_at);
    return first === null ? at : Math.min(first, at);
  }, null);
}

/** Returns when to check on the run, which happens only while it stays parked. */
function checkAt({ run, talk }: RunState): number | null {
  if (talk?.parked !== true || talk.check_at === undefined || run.status !== "waiting") return null;
  return Date.parse(talk.check_at);
}
