// The listeners that are called after each commit.
import type { CommitListener } from "../../core/ports/store.ts";

export interface Watchers {
  watch: (listener: CommitListener) => () => void;
  notify: CommitListener;
}

export function createWatchers(): Watchers {
  const listeners = new Set<{ call: CommitListener }>();
  return {
    watch(call) {
      const entry = { call };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    notify(...commit) {
      for (const { call } of listeners) {
        try {
          call(...commit);
        } catch (error) {
          // The commit stands and the other listeners are called: this is only that listener's bug.
          process.emitWarning(error instanceof Error ? error : new Error(String(error)));
        }
      }
    },
  };
}
