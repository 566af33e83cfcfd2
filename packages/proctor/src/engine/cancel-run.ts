// Cancelling a run, whatever it is doing: a client's run ends at once, one in flight is asked to stop, one that waits never starts.
import { ProctorError } from "../core/errors.ts";
import type { EventDraft } from "../core/event.ts";
import { failure } from "../core/failure.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { LogReader } from "../core/ports/log-reader.ts";
import { isClientRun, isTerminal, type Run } from "../core/run.ts";
import type { Engine } from "./engine.ts";

interface CancelDeps {
  engine: Engine;
  log: LogReader;
  tell: Hub["tell"];
  /** Throws RUN_NOT_FOUND. */
  existing: (id: string) => Promise<Run>;
  append: (id: string, draft: EventDraft) => Promise<Run>;
}

interface Cancelling {
  cancel(id: string, reason: string): Promise<Run>;
  /** Ends a run that has not ended, and waits for its end. */
  stop(id: string): Promise<void>;
}

/** How long a run that is to be removed may take to stop; the engine gives up earlier. */
const STOP_WITHIN_MS = 120_000;

export function createCancelling({ engine, log, tell, existing, append }: CancelDeps): Cancelling {
  async function cancelOnce(id: string, reason: string): Promise<Run> {
    const run = await existing(id);
    if (run.status === "cancelled") return run;
    if (isTerminal(run.status)) throw alreadyEnded(run);
    if (isClientRun(run)) return (await tell(id, () => [cancelled(reason)])).run;
    if (engine.has(id)) {
      const shown = engine.redact(id, reason);
      const asked = await append(id, { type: "run.cancel_requested", payload: { reason: shown } });
      engine.cancel(id, shown);
      return asked;
    }
    if (run.status === "running" || run.status === "paused") throw elsewhere(run);
    return append(id, cancelled(reason));
  }

  async function cancel(id: string, reason: string): Promise<Run> {
    try {
      return await cancelOnce(id, reason);
    } catch (error) {
      // The run started or ended between the read and the write: read once more.
      if (!isIllegal(error)) throw error;
      return cancelOnce(id, reason);
    }
  }

  async function stop(id: string): Promise<void> {
    try {
      const asked = await cancel(id, "the run is removed");
      if (!isTerminal(asked.status)) await log.ended(id, AbortSignal.timeout(STOP_WITHIN_MS));
    } catch (error) {
      if (!isIllegal(error) || !isTerminal((await existing(id)).status)) throw error;
    }
  }

  return { cancel, stop };
}

export function isIllegal(error: unknown): boolean {
  return ProctorError.is(error) && error.code === "ILLEGAL_TRANSITION";
}

function cancelled(reason: string): EventDraft & { type: "run.ended" } {
  return { type: "run.ended", payload: { status: "cancelled", failure: failure("CANCELLED", reason) } };
}

function alreadyEnded(run: Run): ProctorError {
  return new ProctorError("ILLEGAL_TRANSITION", `run ${run.id} is ${run.status}: it cannot be cancelled`, {
    details: { run_id: run.id, status: run.status },
  });
}

function elsewhere(run: Run): ProctorError {
  return new ProctorError("ILLEGAL_TRANSITION", `run ${run.id} is in flight in another process`, {
    details: { run_id: run.id, status: run.status },
  });
}
