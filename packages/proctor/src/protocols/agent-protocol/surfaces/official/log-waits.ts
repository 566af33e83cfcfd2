// Waiting until something is in a run's log: whoever waits looks again after each commit to it.
import type { LogReader } from "../../../../core/ports/log-reader.ts";

export interface LogWaits {
  /** What `look` finds, now or after a later commit. Rejects with the signal's reason, or with what `look` throws. */
  until<T>(runId: string, look: () => Promise<T | undefined>, signal: AbortSignal): Promise<T>;
}

export function createLogWaits(watch: LogReader["watch"]): LogWaits {
  const waiting = new Map<string, Set<() => void>>();
  let unwatch: (() => void) | undefined;

  function add(runId: string, notice: () => void): void {
    const group = waiting.get(runId) ?? new Set();
    waiting.set(runId, group.add(notice));
    unwatch ??= watch((grown) => {
      for (const each of waiting.get(grown) ?? []) each();
    });
  }

  function remove(runId: string, notice: () => void): void {
    const group = waiting.get(runId);
    group?.delete(notice);
    if (group?.size === 0) waiting.delete(runId);
    if (waiting.size > 0) return;
    unwatch?.();
    unwatch = undefined;
  }

  return {
    async until(runId, look, signal) {
      let grown = false;
      let wake = (): void => undefined;
      const notice = (): void => {
        grown = true;
        wake();
      };
      // Before the first look, so that nothing comes between.
      add(runId, notice);
      signal.addEventListener("abort", notice);
      try {
        for (;;) {
          signal.throwIfAborted();
          grown = false;
          const found = await look();
          if (found !== undefined) return found;
          if (!grown) await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        signal.removeEventListener("abort", notice);
        remove(runId, notice);
      }
    },
  };
}
