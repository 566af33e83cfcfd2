// Runs a limited number of works at once, in the order in which they came.

export interface Limiter {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createLimiter(most: number): Limiter {
  let active = 0;
  const waiting: (() => void)[] = [];
  let first = 0;

  function release(): void {
    const next = waiting[first];
    if (next === undefined) {
      active -= 1;
      return;
    }
    first += 1;
    // Started entries are dropped in one go, so that a queue of thousands costs no more per item than a short one.
    if (first > 1000) {
      waiting.splice(0, first);
      first = 0;
    }
    next();
  }

  return {
    async run(work) {
      if (active < most) active += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
