// Writes what the client of a run reports: checked against the run and its steps as they are, in one commit, one report at a time.
import { ProctorError, runNotFound } from "../core/errors.ts";
import type { EventDraft, RunEvent } from "../core/event.ts";
import { MAX_STEPS_CHARS } from "../core/fold-steps.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { ClientState, Hub } from "../core/ports/hub.ts";
import type { NewEvent, Store } from "../core/ports/store.ts";
import { createRedactor } from "../core/redact.ts";
import { isClientRun } from "../core/run.ts";
import { planTold } from "../core/step-machine.ts";
import { toNewEvent } from "./new-event.ts";
import type { Serial } from "../core/serial.ts";
import type { StepFold, StepFolds } from "./step-folds.ts";

export interface TellDeps {
  store: Store;
  folds: StepFolds;
  serial: Serial;
  clock: Clock;
}

/** Times that a write is tried while another process keeps writing to the same run; in this process writes take turns. */
const MAX_TRIES = 10;

export function createTell({ store, folds, serial, clock }: TellDeps): Hub["tell"] {
  // A client's run has no environment and no tools, and so no secrets.
  const nothingToHide = createRedactor([]);

  async function tellOnce(id: string, drafts: Parameters<Hub["tell"]>[1]): Promise<ClientState> {
    const fold = await folds.read(id);
    const state = clientState(id, fold);
    if (!isClientRun(state.run)) throw performedByAgent(id);
    const planned = planTold(state, drafts(state));
    if (planned.length === 0) return state;
    const now = clock.now();
    const events = planned.map((draft) => toNewEvent(draft, nothingToHide, now));
    refuseTooMuch(id, fold, events);
    await store.append(id, events, { expectedSequence: fold.sequence });
    return clientState(id, folds.advance(id, fold, placed(id, fold.sequence, planned, now)));
  }

  return (id, drafts) =>
    serial(id, async () => {
      for (let tries = 1; ; tries++) {
        try {
          return await tellOnce(id, drafts);
        } catch (error) {
          if (!isConflict(error) || tries === MAX_TRIES) throw error;
        }
      }
    });
}

export function clientState(id: string, { state, sequence }: StepFold): ClientState {
  if (state.run === null) throw runNotFound(id);
  return { run: state.run.run, steps: state.steps, sequence };
}

function placed(id: string, after: number, drafts: readonly EventDraft[], nowMs: number): RunEvent[] {
  const timestamp = new Date(nowMs).toISOString();
  return drafts.map((draft, index) => ({ run_id: id, sequence: after + 1 + index, timestamp, ...draft }));
}

function refuseTooMuch(id: string, { state }: StepFold, events: readonly NewEvent[]): void {
  const told = events.filter(({ draft }) => draft.type === "step.added" || draft.type === "step.changed");
  const size = told.reduce((sum, { payload }) => sum + payload.length, 0);
  // An event that ends a run is taken even beyond the limit.
  if (size === 0 || told.length < events.length || state.weight + size <= MAX_STEPS_CHARS) return;
  throw new ProctorError("LIMIT_REACHED", `the steps of run ${id} hold as much as they may`, {
    details: { run_id: id, max_chars: MAX_STEPS_CHARS },
  });
}

function performedByAgent(id: string): ProctorError {
  return new ProctorError(
    "INVALID_REQUEST",
    `run ${id} is performed by an agent, whose events say how it goes`,
  );
}

function isConflict(error: unknown): boolean {
  return ProctorError.is(error) && error.code === "CHANGED_MEANWHILE";
}
