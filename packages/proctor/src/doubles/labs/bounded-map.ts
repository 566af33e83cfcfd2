// A map with a limited number of entries that forgets the oldest, so that a client that never stops asking fills no memory.
import { createOldestKey } from "../../core/oldest-key.ts";

export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  values(): IterableIterator<Value>;
}

export function createBoundedMap<Value>(limit: number): BoundedMap<Value> {
  const entries = new Map<string, Value>();
  const oldest = createOldestKey(entries);
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.set(key, value);
      while (entries.size > limit) {
        const first = oldest();
        if (first === undefined) return;
        entries.delete(first);
      }
    },
    delete: (key) => void entries.delete(key),
    values: () => entries.values(),
  };
}
