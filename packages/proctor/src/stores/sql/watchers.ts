// Who wants to know about commits.

export type Listener = (runId: string, lastSequence: number, appended: number) => void;

export interface Watchers {
  watch: (listener: Listener) => () => void;
  notify: Listener;
}

export function createWatchers(): Watchers {
  const listeners = new Set<{ call: Listener }>();
  return {
    watch(call) {
      const entry = { call };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    notify(runId, lastSequence, appended) {
      for (const { call } of listeners) {
        try {
          call(runId, lastSequence, appended);
        } catch (error) {
          // The commit stands and the other listeners are called: this is only that listener's bug.
          process.emitWarning(error instanceof Error ? error : new Error(String(error)));
        }
      }
    },
  };
}
