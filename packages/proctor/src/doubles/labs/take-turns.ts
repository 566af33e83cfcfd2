// Which entries of a plan something meets: each entry counts what concerns it, lets the first pass, and then takes as many as it says.

interface Turn {
  /** Number of requests that pass before the entry takes effect. */
  after?: number;
  /** Number of requests that meet the entry; all that follow when absent. */
  times?: number;
}

export interface Turns<Entry, Asked> {
  /** Returns the entries that the next request meets. */
  next(asked: Asked): Entry[];
  /** Replaces all entries; counting begins again. */
  replace(entries: readonly Entry[]): void;
}

export function createTurns<Entry extends Turn, Asked>(
  entries: readonly Entry[],
  concerns: (entry: Entry, asked: Asked) => boolean,
): Turns<Entry, Asked> {
  let plan = begin(entries);
  return {
    next: (asked) =>
      plan
        .filter(({ entry }) => concerns(entry, asked))
        .filter((counted) => {
          const { after = 0, times = Infinity } = counted.entry;
          counted.seen += 1;
          return counted.seen > after && counted.seen <= after + times;
        })
        .map(({ entry }) => entry),
    replace(others) {
      plan = begin(others);
    },
  };
}

function begin<Entry>(entries: readonly Entry[]): { entry: Entry; seen: number }[] {
  return entries.map((entry) => ({ entry, seen: 0 }));
}
