// Handles questions of runs without an owner when they expire: one timer for all of them, for the one that expires first.
import { ProctorError } from "../core/errors.ts";
import type { EventDraft } from "../core/event.ts";
import { failure } from "../core/failure.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Store } from "../core/ports/store.ts";
import { closeUnanswered } from "../core/policy.ts";
import { createRedactor } from "../core/redact.ts";
import type { Run } from "../core/run.ts";
import { withdrawals } from "./conclude.ts";
import { toNewEvent } from "./new-event.ts";

export interface Sweeper {
  /** To be called when a run may have been parked. */
  look(): void;
  close(): void;
}

const BATCH = 100;
const RETRY_MS = 1000;

export function createSweeper(options: {
  store: Pick<Store, "append" | "dueParked" | "nextExpiry">;
  clock: Clock;
  report: (problem: unknown, runId: string) => void;
  /** Called when a run waits for a worker again. */
  onQueued: () => void;
}): Sweeper {
  const { store, clock } = options;
  const nothingToHide = createRedactor([]);
  let callOff = (): void => undefined;
  let closed = false;

  function after(delayMs: number): void {
    callOff();
    if (!closed) callOff = clock.after(Math.max(1, delayMs), () => void sweep());
  }

  async function plan(): Promise<void> {
    const next = await store.nextExpiry();
    if (next !== null) after(next - clock.now());
  }

  async function expire(run: Run): Promise<void> {
    const now = clock.now();
    const due = run.questions.filter(({ expires_at }) => Date.parse(expires_at) <= now);
    const closing = due.map((question) => ({
      question,
      ...closeUnanswered(question, run.options.conversation),
    }));
    const drafts: EventDraft[] = closing.map(({ question: { id }, ...how }) => ({
      type: "question.expired",
      payload: { id, ...how },
    }));
    const lost = closing.find(({ effect }) => effect === "fail")?.question;
    if (lost) {
      const others = { questions: run.questions.filter((question) => !due.includes(question)) };
      const failed = failure("NO_ANSWER", `nobody answered in time: ${lost.kind} ${lost.id}`);
      drafts.push(...withdrawals(others), {
        type: "run.ended",
        payload: { status: "failed", failure: failed },
      });
    }
    const events = drafts.map((draft) => toNewEvent(draft, nothingToHide, now));
    await store.append(run.id, events, { unowned: true }).catch(ignoreOvertaken);
  }

  async function sweep(): Promise<void> {
    try {
      const due = await store.dueParked(clock.now(), BATCH);
      for (const run of due) await expire(run);
      if (due.length > 0) options.onQueued();
      await plan();
    } catch (problem) {
      if (closed) return;
      options.report(problem, "");
      after(RETRY_MS);
    }
  }

  return {
    look: () => void sweep(),
    close() {
      closed = true;
      callOff();
    },
  };
}

/** Ignores that another worker has the run again, or that it ended. */
function ignoreOvertaken(error: unknown): void {
  const code = ProctorError.is(error) ? error.code : undefined;
  if (code !== "CHANGED_MEANWHILE" && code !== "ILLEGAL_TRANSITION" && code !== "RUN_NOT_FOUND") throw error;
}
