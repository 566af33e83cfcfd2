// Lets a limited number go at a time: first come, first served.

export interface Turns {
  /** Resolves when it is the caller's turn; undefined when there is no need to wait. */
  take(): Promise<void> | undefined;
  give(): void;
}

export function createTurns(size: number): Turns {
  let free = size;
  const waiting: (() => void)[] = [];
  let first = 0;
  return {
    take() {
      if (free > 0) {
        free -= 1;
        return undefined;
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    give() {
      const next = waiting[first];
      if (next === undefined) {
        free += 1;
        return;
      }
      first += 1;
      if (first === waiting.length) {
        waiting.length = 0;
        first = 0;
      }
      next();
    },
  };
}
