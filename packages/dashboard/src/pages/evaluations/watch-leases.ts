// A client that was killed says nothing more, and no event reports it: an evaluation whose lease is over is read again.
import { effect } from "@preact/signals";
import { hub } from "../../api/hub.ts";
import type { Evaluation } from "../../api/gen/schema.ts";

/** Milliseconds by which the hub's clock and the browser's may differ. */
const SLACK_MS = 2000;
/** Longest and shortest wait in milliseconds: a lease in the past is not read again and again. */
const LONGEST_MS = 600_000;
const SHORTEST_MS = 5000;

/** Watches the evaluations that `running` names, which is read like a signal. Returns the function that ends it. */
export function watchLeases(
  running: () => readonly Evaluation[],
  onRead: (evaluation: Evaluation) => void,
): () => void {
  const stop = new AbortController();
  let timers: ReturnType<typeof setTimeout>[] = [];
  const off = effect(() => {
    for (const timer of timers) clearTimeout(timer);
    timers = running()
      .filter(({ status, alive_until }) => status === "running" && alive_until !== null)
      .map(({ id, alive_until }) => {
        const left = Date.parse(alive_until ?? "") - Date.now() + SLACK_MS;
        const waitMs = Math.min(Math.max(left, SHORTEST_MS), LONGEST_MS);
        // One that cannot be read now is read with the next change.
        return setTimeout(() => void hub.evaluation(id, stop.signal).then(onRead, () => undefined), waitMs);
      });
  });
  return () => {
    off();
    stop.abort();
    for (const timer of timers) clearTimeout(timer);
  };
}
