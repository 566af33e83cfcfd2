// The last calls of a double, in memory: as many as fit.

/** A list of calls; a type alias, because an interface is not assignable to JSON. */
type CallList<Call> = { items: Call[]; next_cursor: null; total: number };

export interface CallLog<Call> {
  /** Adds a call; `chars` is its size as JSON, where that is known. */
  add(call: Call, chars?: number): void;
  /** Returns the calls, oldest first; `total` includes those that were dropped. */
  read(): CallList<Call>;
  /** Forgets all calls; `total` begins again. */
  clear(): void;
}

const MAX_CALLS = 10_000;
const MAX_CHARS = 32 * 1024 * 1024;

export function createCallLog<Call>(): CallLog<Call> {
  let entries: ({ call: Call; chars: number } | undefined)[] = [];
  /** Index of the oldest call. Places before it are empty, and are removed when they outnumber the calls. */
  let first = 0;
  let chars = 0;
  let total = 0;
  return {
    add(call, size = JSON.stringify(call).length) {
      entries.push({ call, chars: size });
      chars += size;
      total++;
      while (entries.length - first > MAX_CALLS || (chars > MAX_CHARS && first < entries.length - 1)) {
        chars -= entries[first]?.chars ?? 0;
        entries[first++] = undefined;
      }
      if (first <= entries.length / 2) return;
      entries = entries.slice(first);
      first = 0;
    },
    read: () => ({
      items: entries.flatMap((entry) => (entry ? [entry.call] : [])),
      next_cursor: null,
      total,
    }),
    clear() {
      entries = [];
      first = 0;
      chars = 0;
      total = 0;
    },
  };
}
