// A list of runs after some of them have changed: pure, and cheap for a list of a hundred thousand of which the newest change.
import type { Run } from "../../api/gen/schema.ts";
import type { RunFilter } from "../../api/hub.ts";
import { fits } from "./filter.ts";

interface Merged {
  items: readonly Run[];
  /** Runs that were not in the list and now are. */
  added: readonly Run[];
  /** Runs that were in the list and no longer fit. */
  dropped: readonly Run[];
}

/**
 * Replaces what has changed, drops what the filter no longer asks for, and adds what it now asks for: on top, or at the end of a list that begins
 * with the oldest, unless there is more behind that end.
 */
export function mergeRuns(
  items: readonly Run[],
  changed: ReadonlyMap<string, Run>,
  filter: RunFilter,
  more: boolean,
): Merged {
  const rest = new Map(changed);
  const dropped: Run[] = [];
  let next: Run[] | undefined;
  // What changes is mostly near the top, so that the rest need not be looked at.
  for (let place = 0; place < items.length && rest.size > 0; place++) {
    const id = items[place]?.id ?? "";
    const run = rest.get(id);
    if (run === undefined) continue;
    rest.delete(id);
    next ??= items.slice();
    next[place] = run;
    if (!fits(run, filter)) dropped.push(run);
  }
  if (next !== undefined && dropped.length > 0) {
    const gone = new Set(dropped);
    next = next.filter((run) => !gone.has(run));
  }
  const known = next ?? items;
  const fitting = [...rest.values()].filter((run) => fits(run, filter));
  const added = filter.order === "oldest" && more ? [] : fitting;
  if (added.length === 0) return { items: known, added, dropped };
  const all = filter.order === "oldest" ? [...known, ...added] : [...added.toReversed(), ...known];
  return { items: all, added, dropped };
}
