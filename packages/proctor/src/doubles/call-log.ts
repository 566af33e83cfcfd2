// The last calls, in memory: as many as fit.
import type { ObservedCall } from "../../core/tools.ts";

export interface LoggedCall extends ObservedCall {
  /** When it was answered, ISO 8601. */
  time: string;
}

/** An alias, not an interface: so it counts as JSON. */
export type CallList = { items: LoggedCall[]; next_cursor: null; total: number };

export interface CallLog {
  add(call: LoggedCall): void;
  /** Oldest first; `total` counts those that were dropped as well. */
  read(): CallList;
}

const MAX_CALLS = 10_000;
const MAX_CHARS = 32 * 1024 * 1024;

export function createCallLog(): CallLog {
  let entries: { call: LoggedCall; chars: number }[] = [];
  let chars = 0;
  let total = 0;
  return {
    add(call) {
      const size = JSON.stringify(call).length;
      entries.push({ call, chars: size });
      chars += size;
      total++;
      let drop = 0;
      for (; entries.length - drop > MAX_CALLS || (chars > MAX_CHARS && drop < entries.length - 1); drop++) {
        chars -= entries[drop]?.chars ?? 0;
      }
      if (drop > 0) entries = entries.slice(drop);
    },
    read: () => ({ items: entries.map(({ call }) => call), next_cursor: null, total }),
  };
}
