// Time, injected, so that tests own it.

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back once after the delay; returns how to call it off. */
  after(delayMs: number, callback: () => void): () => void;
}
