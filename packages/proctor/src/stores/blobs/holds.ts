// Holds on bytes that were put and are not yet recorded in a log. While bytes are held, they are not removed; while they are being removed,
// a writer of the same bytes waits, and then writes them again.
import type { BlobRef } from "../../core/ports/blob-store.ts";

export interface Holds {
  /** Resolves when no removal of these bytes is under way; from the call on none begins. */
  hold(ref: BlobRef): Promise<void>;
  release(ref: BlobRef): void;
  /** Does the work and returns its result; returns false without doing it when the bytes are held. */
  exclude(sha256: string, work: () => Promise<boolean>): Promise<boolean>;
}

/** Milliseconds after which a hold will not be released any more: its run was given up, or there is a bug. */
const FORGOTTEN_AFTER_MS = 10 * 60_000;

export function createHolds(now: () => number = Date.now): Holds {
  /** Time of each hold, the oldest first. */
  const since = new Map<BlobRef, number>();
  const counts = new Map<string, number>();
  const excluded = new Map<string, Promise<unknown>>();

  function release(ref: BlobRef): void {
    if (!since.delete(ref)) return;
    const count = (counts.get(ref.sha256) ?? 0) - 1;
    if (count > 0) counts.set(ref.sha256, count);
    else counts.delete(ref.sha256);
  }

  function forgetOld(): void {
    const limit = now() - FORGOTTEN_AFTER_MS;
    for (const [ref, at] of since) {
      if (at > limit) return;
      release(ref);
    }
  }

  return {
    async hold(ref) {
      forgetOld();
      if (!since.has(ref)) counts.set(ref.sha256, (counts.get(ref.sha256) ?? 0) + 1);
      since.set(ref, now());
      await excluded.get(ref.sha256)?.catch(() => undefined);
    },
    release,
    async exclude(sha256, work) {
      forgetOld();
      // One removal at a time; bytes that were put meanwhile are held by then.
      while (excluded.has(sha256)) await excluded.get(sha256)?.catch(() => undefined);
      if (counts.has(sha256)) return false;
      const working = work();
      excluded.set(sha256, working);
      try {
        return await working;
      } finally {
        excluded.delete(sha256);
      }
    },
  };
}
