// A card that is fetched when it is needed and kept for a while. Those who need it at the same time wait for the same request. When it cannot
// be had again, the last one serves on: an agent whose card is unreachable for a moment may still answer.
import type { Clock } from "../../../core/ports/clock.ts";
import { unlessAborted } from "../../../core/unless-aborted.ts";

export interface CardCache<T> {
  /** Rejects only until the first card has been fetched. */
  get(call: { readonly signal: AbortSignal }): Promise<T>;
  /** Makes the next `get` fetch the card again. */
  expire(): void;
}

export interface CardCacheOptions<T> {
  fetch: () => Promise<T>;
  refreshMs: number;
  clock: Clock;
  onTrouble: (problem: unknown) => void;
}

/** Milliseconds before a failed fetch of a card is tried again. */
const RETRY_MS = 5000;

export function createCardCache<T>({
  fetch,
  refreshMs,
  clock,
  onTrouble,
}: CardCacheOptions<T>): CardCache<T> {
  let current: { value: T } | undefined;
  let dueAt = -Infinity;
  let fetching: Promise<T> | undefined;

  function refresh(): Promise<T> {
    fetching ??= fetch()
      .then((value) => {
        current = { value };
        dueAt = clock.now() + refreshMs;
        return value;
      })
      .finally(() => (fetching = undefined));
    return fetching;
  }

  return {
    async get(call) {
      if (current && clock.now() < dueAt) return current.value;
      if (current === undefined) return unlessAborted(refresh(), call.signal);
      const { value } = current;
      // No caller waits for a newer card.
      dueAt = clock.now() + Math.min(RETRY_MS, refreshMs);
      refresh().catch(onTrouble);
      return value;
    },
    expire: () => void (dueAt = -Infinity),
  };
}
