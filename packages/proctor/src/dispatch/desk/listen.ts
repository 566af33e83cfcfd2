// Waits until a worker has a reason to ask: something waits for it, or others have written to one of its runs.
import type { Clock } from "../../core/ports/clock.ts";
import type { LentRun, LentRuns } from "../../core/ports/lent-runs.ts";
import type { Store } from "../../core/ports/store.ts";
import type { News } from "../../core/ports/work-desk.ts";

interface Wish {
  held: readonly (LentRun & { sequence: number })[];
  labels: readonly string[];
  /** Whether the worker has room now, so that runs which wait already count. */
  free: boolean;
  waitMs: number;
}

interface Heard {
  waiting: boolean;
  news: News[];
}

export async function listenForWork(
  { store, lent, clock }: { store: Pick<Store, "watch">; lent: LentRuns; clock: Clock },
  { held, labels, free, waitMs }: Wish,
  signal?: AbortSignal,
): Promise<Heard> {
  const news = new Map<string, number>();
  const ids = new Set(held.map(({ job }) => job.id));
  let wake = (): void => undefined;
  const woken = new Promise<void>((resolve) => (wake = resolve));
  let waiting = false;
  let looking: Promise<void> | undefined;
  const look = (): void => {
    looking ??= lent
      .waits(labels)
      .then((found) => {
        waiting ||= found;
        if (found) wake();
      }, wake)
      .finally(() => (looking = undefined));
  };
  const stops = [
    store.watch((runId, last, appended, _ended, byOwner) => {
      if (byOwner || appended === 0 || !ids.has(runId)) return;
      news.set(runId, last);
      wake();
    }),
    lent.watch(look),
    clock.after(Math.max(1, waitMs), wake),
  ];
  signal?.addEventListener("abort", wake, { once: true });
  try {
    // Events from before this listener are found in the rows.
    const grown = await lent.look(held, false);
    for (const { job, sequence } of held) {
      const last = grown.get(job.id) ?? -1;
      if (last > sequence) news.set(job.id, last);
    }
    if (news.size > 0 || signal?.aborted) wake();
    if (free) look();
    await woken;
    return { waiting, news: [...news].map(([run_id, sequence]) => ({ run_id, sequence })) };
  } finally {
    for (const stop of stops) stop();
    signal?.removeEventListener("abort", wake);
  }
}
