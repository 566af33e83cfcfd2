// So many at once, the others in turn.

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function createPlaces(count: number): InTurn {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
