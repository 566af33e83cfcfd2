// The listeners that are called after each commit.
import type { CommitListener } from "../../core/ports/store.ts";

export interface Watchers<Commit extends readonly unknown[] = Parameters<CommitListener>> {
  watch: (listener: (...commit: Commit) => void) => () => void;
  notify: (...commit: Commit) => void;
}

/** Listeners that are called with commits that changed this evaluation. */
export type EvaluationWatchers = Watchers<[evaluationId: string]>;

export function createWatchers<
  Commit extends readonly unknown[] = Parameters<CommitListener>,
>(): Watchers<Commit> {
  const listeners = new Set<{ call: (...commit: Commit) => void }>();
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
