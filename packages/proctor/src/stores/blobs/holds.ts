// Holds on bytes that were put and are not yet referred to in a log. While there is a hold, nobody removes them; and while somebody removes them,
// whoever wants to put them waits, and then writes them again.
import type { BlobRef } from "../../core/ports/blob-store.ts";

export interface Holds {
  /** Resolves when nobody is removing these bytes; from the call on nobody begins to. */
  hold(ref: BlobRef): Promise<void>;
  release(ref: BlobRef): void;
  /** Does the work unless the bytes are held; false then, or what the work says. */
  exclude(sha256: string, work: () => Promise<boolean>): Promise<boolean>;
}

/** A hold that is this old is never released: a bug, or a run that was given up. */
const FORGOTTEN_AFTER_MS = 10 * 60_000;

export function createHolds(now: () => number = Date.now): Holds {
  /** Holds in the order of their times. */
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
      // One after the other; what was put meanwhile is held then.
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
