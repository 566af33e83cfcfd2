// How often a token may be used: a number of requests at once, refilled at a steady rate.
import type { TokenRate } from "../core/token.ts";

export interface TokenBucket {
  /** Takes one request. Returns 0, or the seconds until the next may come. */
  take(nowMs: number): number;
}

export function createTokenBucket({ per_second, burst }: TokenRate, startMs: number): TokenBucket {
  let left = burst;
  let at = startMs;
  return {
    take(now) {
      left = Math.min(burst, left + (Math.max(0, now - at) / 1000) * per_second);
      at = Math.max(at, now);
      if (left < 1) return (1 - left) / per_second;
      left -= 1;
      return 0;
    },
  };
}
