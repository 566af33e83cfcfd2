// The best of many, in order, without sorting them all: a search among thousands shows a few.

export interface Best<T> {
  /** Adds an item. Smaller is better, by `rank` first and then by `score`; of equals, the one that came first. */
  add(item: T, rank: number, score: number): void;
  /** Lists the items, best first. */
  list(): T[];
  /** Returns the number of items that were added. */
  total(): number;
}

interface Place<T> {
  item: T;
  rank: number;
  score: number;
}

export function createBest<T>(limit: number): Best<T> {
  const places: Place<T>[] = [];
  let total = 0;

  /** Returns the place of an item that came after all others. */
  function placeFor(rank: number, score: number): number {
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = places[middle];
      const isBehind = other !== undefined && (other.rank - rank || other.score - score) > 0;
      if (isBehind) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  return {
    add(item, rank, score) {
      total += 1;
      const last = places.length < limit ? undefined : places[limit - 1];
      if (last !== undefined && (rank - last.rank || score - last.score) >= 0) return;
      places.splice(placeFor(rank, score), 0, { item, rank, score });
      if (places.length > limit) places.pop();
    },
    list: () => places.map(({ item }) => item),
    total: () => total,
  };
}
