// Reports every run twice, when it has started and when it has ended, to the terminal of a hub. Programs follow logs instead.
import type { Store } from "../../core/ports/store.ts";
import { isTerminal, type Run } from "../../core/run.ts";

export function watchRuns(store: Pick<Store, "watch" | "readRun">, onRun: (run: Run) => void): void {
  const started = new Set<string>();
  // One after the other, so that no run is reported as ended before it is reported as started.
  let reported: Promise<void> = Promise.resolve();
  store.watch((id, _last, appended, ended) => {
    if (appended === 0 || (started.has(id) && !ended)) return;
    reported = reported.then(() => report(id)).catch(() => undefined);
  });

  async function report(id: string): Promise<void> {
    const run = await store.readRun(id);
    if (run === undefined) return;
    if (isTerminal(run.status)) {
      // Clients may add events after the end; they do not end the run again.
      if (started.delete(id)) onRun(run);
    } else if (run.status === "running" && !started.has(id)) {
      started.add(id);
      onRun(run);
    }
  }
}
