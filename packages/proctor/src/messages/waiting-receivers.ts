// Which parties wait for envelopes. A receiver that waits costs an entry in a map and a timer.
import type { Clock } from "../core/ports/clock.ts";

export interface Listening {
  /** Resolves when something came since `listen`, the time is over or the signal aborts. Never rejects; listens no longer then. */
  wait(waitMs: number | undefined, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface WaitingReceivers {
  listen(receiver: string): Listening;
  wake(receiver: string): void;
  /** Wakes all receivers, and lets none wait any more. */
  close(): void;
}

interface Listener {
  woken: boolean;
  resume: (() => void) | undefined;
}

export function createWaitingReceivers(clock: Clock): WaitingReceivers {
  const listeners = new Map<string, Set<Listener>>();
  let isClosed = false;

  function leave(receiver: string, listener: Listener): void {
    const group = listeners.get(receiver);
    if (group?.delete(listener) === true && group.size === 0) listeners.delete(receiver);
  }

  function wake(receiver: string): void {
    const group = listeners.get(receiver);
    if (group === undefined) return;
    listeners.delete(receiver);
    for (const listener of group) {
      listener.woken = true;
      listener.resume?.();
    }
  }

  return {
    listen(receiver) {
      const listener: Listener = { woken: isClosed, resume: undefined };
      const group = listeners.get(receiver);
      if (group) group.add(listener);
      else listeners.set(receiver, new Set([listener]));
      return {
        wait: (waitMs, signal) =>
          new Promise((resolve) => {
            const done = (): void => {
              callOff?.();
              signal.removeEventListener("abort", done);
              leave(receiver, listener);
              resolve();
            };
            let callOff: (() => void) | undefined;
            if (listener.woken || signal.aborted) return done();
            listener.resume = done;
            signal.addEventListener("abort", done, { once: true });
            if (waitMs !== undefined) callOff = clock.after(waitMs, done);
          }),
        close: () => leave(receiver, listener),
      };
    },
    wake,
    close() {
      isClosed = true;
      for (const receiver of listeners.keys()) wake(receiver);
    },
  };
}
