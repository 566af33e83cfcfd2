// Reports every run that has ended to the registry, so that it can measure how agents answer.
import type { Store } from "../core/ports/store.ts";
import type { Run } from "../core/run.ts";

interface FollowedRuns {
  /** Resolves when every run so far is measured. */
  close(): Promise<void>;
}

/** Most runs that are remembered as counted: a run that has ended may still get files. */
const REMEMBERED = 1000;

export function followRuns(
  store: Pick<Store, "watch" | "readRun">,
  registry: { runEnded(run: Run): Promise<void> },
  report: (problem: unknown) => void,
): FollowedRuns {
  const counted = new Set<string>();
  const open = new Set<Promise<void>>();

  async function measure(runId: string): Promise<void> {
    const run = await store.readRun(runId);
    if (run) await registry.runEnded(run);
  }

  const stop = store.watch((runId, _lastSequence, appended, ended) => {
    if (!ended || appended === 0 || counted.has(runId)) return;
    if (counted.size >= REMEMBERED) counted.clear();
    counted.add(runId);
    const measuring: Promise<void> = measure(runId)
      .catch(report)
      .finally(() => open.delete(measuring));
    open.add(measuring);
  });
  return {
    async close() {
      stop();
      await Promise.all(open);
    },
  };
}
