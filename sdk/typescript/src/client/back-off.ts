// How long to wait before another attempt: longer each time, and different for each client, so that they do not all return at once.

interface BackOff {
  /** Wait after the first failure, in milliseconds. The hub may ask for a different one. */
  firstMs: number;
  readonly failures: number;
  /** Counts a failure and returns how many milliseconds to wait. */
  next(): number;
  reset(): void;
  /** Resolves after `ms` milliseconds. Rejects with the reason of the signal when that aborts first. */
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
          // The caller chose the reason, which need not be an Error.
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
