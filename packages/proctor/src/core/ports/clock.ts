// Time, injected, so that tests own it.

export interface Clock {
  /** The current time in epoch milliseconds. */
  now(): number;
  /** Calls back once after the delay; returns a function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}
