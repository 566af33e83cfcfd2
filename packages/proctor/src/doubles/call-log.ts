// The last calls of a double, in memory: as many as fit.

/** An alias, not an interface: so it counts as JSON. */
type CallList<Call> = { items: Call[]; next_cursor: null; total: number };

export interface CallLog<Call> {
  /** `chars` is the size of the call as JSON, where it is known. */
  add(call: Call, chars?: number): void;
  /** Oldest first; `total` counts those that were dropped as well. */
  read(): CallList<Call>;
  /** Forgets all calls; `total` begins again. */
  clear(): void;
}

const MAX_CALLS = 10_000;
const MAX_CHARS = 32 * 1024 * 1024;

export function createCallLog<Call>(): CallLog<Call> {
  let entries: { call: Call; chars: number }[] = [];
  let chars = 0;
  let total = 0;
  return {
    add(call, size = JSON.stringify(call).length) {
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
    clear() {
      entries = [];
      chars = 0;
      total = 0;
    },
  };
}
