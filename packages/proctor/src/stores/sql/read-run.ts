// Reads one run, from memory where it was read before and no commit has touched it since.
import type { RunCache } from "./run-cache.ts";
import type { RunRecord } from "./run-record.ts";
import type { Watchers } from "./watchers.ts";

type ReadRun = (id: string) => Promise<RunRecord | undefined>;

export function createReadRun(load: ReadRun, cache: RunCache, watchers: Watchers): ReadRun {
  let commits = 0;
  // Called after the commit and before the writer is answered: nobody reads less than was acknowledged.
  watchers.watch((runId) => {
    commits++;
    cache.remove(runId);
  });
  return async (id) => {
    const known = cache.get(id);
    if (known) return known;
    const before = commits;
    const record = await load(id);
    // A commit while it was being read may have made it old.
    if (record && commits === before) cache.set(id, record);
    return record;
  };
}
