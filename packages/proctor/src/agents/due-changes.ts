// One timer for all agents: it wakes when the first of them may change its state because time has passed.
import type { Clock } from "../core/ports/clock.ts";

export interface DueChanges {
  /** Expects that a state may change at this time, in epoch milliseconds. */
  expect(at: number | null): void;
  close(): void;
}

/** Milliseconds within which agents that change are looked at together. */
const AT_LEAST_MS = 100;

/** `look` notices what is due, and returns when the next change is. */
export function createDueChanges(clock: Clock, look: () => number | null): DueChanges {
  let dueAt = Infinity;
  let cancel: (() => void) | undefined;
  let closed = false;

  function expect(at: number | null): void {
    if (closed || at === null || at >= dueAt) return;
    cancel?.();
    dueAt = at;
    cancel = clock.after(Math.max(AT_LEAST_MS, at - clock.now()), wake);
  }

  function wake(): void {
    cancel = undefined;
    dueAt = Infinity;
    expect(look());
  }

  return {
    expect,
    close() {
      closed = true;
      cancel?.();
    },
  };
}
