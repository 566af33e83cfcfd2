// What changes about evaluations, as it happens. A reader that comes back with the last position it saw misses nothing. A client that went
// silent commits nothing: its evaluation is told of when its lease is over.
import type { Evaluation, PlacedEvaluationEvent } from "../../core/evaluation.ts";
import { ProctorError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { EvaluationStore } from "../../core/ports/evaluation-store.ts";

interface FollowDeps {
  store: Pick<EvaluationStore, "changes" | "watch">;
  clock: Clock;
  get: (id: string) => Promise<Evaluation>;
}

const PAGE = 200;

export async function* followEvaluations(
  { store, clock, get }: FollowDeps,
  id: string | undefined,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<PlacedEvaluationEvent> {
  let grown = true;
  let wake = (): void => undefined;
  const notice = (): void => {
    grown = true;
    wake();
  };
  // The watch begins before the first read, so that no commit is missed.
  const stop = store.watch((changed) => {
    if (id === undefined || changed === id) notice();
  });
  signal.addEventListener("abort", notice, { once: true });
  let last = after;
  let lapsed = false;
  try {
    while (!signal.aborted) {
      grown = false;
      const range = {
        after: last,
        limit: PAGE,
        now: clock.now(),
        ...(id !== undefined && { evaluation: id }),
      };
      const changes = await store.changes(range);
      for (const change of changes) {
        yield change;
        last = change.position;
      }
      if (changes.length === PAGE) continue;
      const now = id === undefined ? undefined : await stateOf(id, get);
      if (now === "gone" || now?.status === "completed") {
        if (!grown) return;
        continue;
      }
      if (now?.status === "interrupted" && !lapsed) {
        lapsed = true;
        const event = { type: "evaluation.changed", evaluation_id: now.id, evaluation: now } as const;
        yield { position: last, event };
      }
      if (now?.status === "running") lapsed = false;
      if (!grown && !signal.aborted) await wait(now, clock, (resolve) => (wake = resolve));
    }
  } finally {
    stop();
    signal.removeEventListener("abort", notice);
  }
}

async function stateOf(id: string, get: FollowDeps["get"]): Promise<Evaluation | "gone"> {
  try {
    return await get(id);
  } catch (error) {
    if (ProctorError.is(error) && error.code === "EVALUATION_NOT_FOUND") return "gone";
    throw error;
  }
}

/** Waits until something was committed, or the lease is over. */
function wait(
  evaluation: Evaluation | undefined,
  clock: Clock,
  onWake: (resolve: () => void) => void,
): Promise<void> {
  const until = evaluation?.status === "running" ? Date.parse(evaluation.alive_until ?? "") : Number.NaN;
  return new Promise((resolve) => {
    const callOff = Number.isNaN(until) ? undefined : clock.after(Math.max(until - clock.now(), 0), resolve);
    onWake(() => {
      callOff?.();
      resolve();
    });
  });
}
