// How long to wait before another try: longer each time, and not the same for all who lost the same hub.

interface BackOff {
  /** The hub may ask for another one. */
  firstMs: number;
  readonly failures: number;
  /** Counts a failure; the time to wait now. */
  next(): number;
  reset(): void;
  /** Rejects with the signal's reason when it aborts. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;

export function createBackOff(random: () => number = Math.random): BackOff {
  let failures = 0;
  return {
    firstMs: FIRST_MS,
    get failures() {
      return failures;
    },
    next() {
      const fullMs = Math.min(this.firstMs * 2 ** failures, LONGEST_MS);
      failures += 1;
      return Math.round(fullMs * (0.5 + random() / 2));
    },
    reset() {
      failures = 0;
    },
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        const abort = (): void => {
          clearTimeout(timer);
          // The reason is the caller's own.
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors
          reject(signal?.reason);
        };
        const timer = setTimeout(() => {
          signal?.removeEventListener("abort", abort);
          resolve();
        }, ms);
        if (signal?.aborted === true) abort();
        else signal?.addEventListener("abort", abort, { once: true });
      }),
  };
}
