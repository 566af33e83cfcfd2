// Caches runs in flight, so that an append does not read back what the previous append wrote. Only for a database that has one
// writer; emptied at every rollback, so it never holds what was not committed (or is not about to be).
import { createOldestKey } from "../../core/oldest-key.ts";
import type { RunRecord } from "./run-record.ts";

export interface RunCache {
  get: (id: string) => RunRecord | undefined;
  set: (id: string, record: RunRecord) => void;
  remove: (id: string) => void;
  clear: () => void;
}

/** Most runs that are cached, as many as a hub can have in flight: any other is read from the database with every event that it appends. */
const MAX_RUNS = 10_000;

/** Keeps the runs written last, up to `maxWeight` characters and `maxRuns`; always at least one. */
export function createRunCache(maxWeight = 64 * 1024 * 1024, maxRuns = MAX_RUNS): RunCache {
  const records = new Map<string, RunRecord>();
  const oldestKey = createOldestKey(records);
  let weight = 0;

  function remove(id: string): void {
    weight -= records.get(id)?.weight ?? 0;
    records.delete(id);
  }

  return {
    get: (id) => records.get(id),
    set(id, record) {
      remove(id);
      records.set(id, record);
      weight += record.weight;
      while (records.size > 1 && (records.size > maxRuns || weight > maxWeight)) {
        const oldest = oldestKey();
        if (oldest !== undefined) remove(oldest);
      }
    },
    remove,
    clear() {
      records.clear();
      weight = 0;
    },
  };
}

/** A cache that holds nothing, for a database that others write to as well. */
export const noRunCache: RunCache = {
  get: () => undefined,
  set: () => undefined,
  remove: () => undefined,
  clear: () => undefined,
};
