// Whether an append may be made to a run as it is, and what it is to append.
import { ProctorError } from "../../core/errors.ts";
import type { AppendOptions, DecideEvents, NewEvent } from "../../core/ports/store.ts";
import { isTerminal, type Run } from "../../core/run.ts";
import { isHeld } from "../../core/run-machine.ts";
import type { RunRecord } from "./run-record.ts";

export type Asked = readonly NewEvent[] | DecideEvents;

/** What an append has done. */
export interface Appended {
  run: Run;
  before: RunRecord;
  after: RunRecord;
  events: readonly NewEvent[];
  /** True when the successor was created. */
  followed: boolean;
}

export type AppendOne = (runId: string, asked: Asked, options: AppendOptions) => Promise<Appended>;

/** Decides the append. Throws what Store.append throws. */
export function decideAppend(before: RunRecord, asked: Asked, options: AppendOptions): readonly NewEvent[] {
  const { fence, expectedSequence, unowned } = options;
  const { state, spec } = before;
  const { id } = state.run;
  if (fence !== undefined && fence !== before.fence) throw stale(id, fence, before.fence);
  if (expectedSequence !== undefined && expectedSequence !== before.nextSequence - 1) {
    throw grown(id, expectedSequence, before.nextSequence - 1);
  }
  if (unowned === true && isOwned(before)) throw owned(id);
  return typeof asked === "function" ? asked({ ...state, spec }) : asked;
}

export function notFound(runId: string): ProctorError {
  return new ProctorError("RUN_NOT_FOUND", `there is no run ${runId}`, { details: { run_id: runId } });
}

function isOwned({ worker, state }: RunRecord): boolean {
  return worker !== null && isHeld(state.run.status);
}

function owned(runId: string): ProctorError {
  return new ProctorError("CHANGED_MEANWHILE", `run ${runId} has an owner again\nread it and try again`, {
    details: { run_id: runId },
  });
}

function grown(runId: string, expected: number, last: number): ProctorError {
  return new ProctorError(
    "CHANGED_MEANWHILE",
    `run ${runId} has an event ${last}, and ${expected} was taken for its last\nread it and try again`,
    { details: { run_id: runId, expected_sequence: expected, last_sequence: last } },
  );
}

function stale(runId: string, fence: number, current: number): ProctorError {
  return new ProctorError(
    "ILLEGAL_TRANSITION",
    `run ${runId} has another owner now: fence ${fence} is stale, the present one is ${current}`,
    { details: { run_id: runId, fence, current } },
  );
}

/** Returns whether an append was refused because the run has another owner. */
export function isStale(error: unknown): boolean {
  return (
    ProctorError.is(error) &&
    error.code === "ILLEGAL_TRANSITION" &&
    Object.hasOwn(Object(error.details), "fence")
  );
}

/** Returns how the run left the worker that had it, or the line. */
export function leaves(before: RunRecord, after: RunRecord): "ended" | "parked" | undefined {
  const { status } = after.state.run;
  if (isTerminal(status)) return isTerminal(before.state.run.status) ? undefined : "ended";
  return after.state.talk?.parked === true && before.state.talk?.parked !== true ? "parked" : undefined;
}
