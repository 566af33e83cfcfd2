// Holds as rows of the store, for bytes that several processes put and remove. Each side first records what it is about to do, and then looks at
// what the other has recorded: so of a put and a removal at the same time at least one notices the other. A put waits; a removal gives up.
import { randomUUID } from "node:crypto";
import type { BlobMarks } from "../../core/ports/blob-marks.ts";
import type { BlobRef } from "../../core/ports/blob-store.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { never } from "../../runtime/time/never.ts";
import { pause } from "../../runtime/time/pause.ts";
import type { Holds } from "./holds.ts";

export interface SharedHolds extends Holds {
  /** Resolves when the rows of released holds are gone. */
  settled(): Promise<void>;
}

/** Milliseconds, longer than any record takes to be written after its bytes. Then a hold counts as left by a process that died. */
const HOLD_MS = 60 * 60_000;
/** Milliseconds that a removal keeps writers of the same bytes waiting when its process dies. */
const REMOVAL_MS = 2 * 60_000;
/** Milliseconds after which a removal that has not begun is given up: its mark must outlive the request by far. */
const DECIDE_MS = 30_000;
const LOOK_AGAIN_MS = 50;

export function createSharedHolds(marks: BlobMarks, clock: Clock): SharedHolds {
  /** Id of the mark of each reference. */
  const held = new Map<BlobRef, string>();
  const releasing = new Set<Promise<void>>();

  /** A mark that cannot be removed now expires by itself. */
  async function unmark(id: string): Promise<void> {
    await marks.remove(id).catch(() => undefined);
  }

  async function settled(): Promise<void> {
    await Promise.all(releasing);
  }

  return {
    async hold(ref) {
      if (held.has(ref)) return;
      const id = randomUUID();
      await marks.add({ id, sha256: ref.sha256, kind: "hold", expires_at: clock.now() + HOLD_MS });
      held.set(ref, id);
      while (await marks.isMarked(ref.sha256, "removal", clock.now()))
        await pause(clock, LOOK_AGAIN_MS, never);
    },
    release(ref) {
      const id = held.get(ref);
      if (id === undefined) return;
      held.delete(ref);
      const work = unmark(id).finally(() => releasing.delete(work));
      releasing.add(work);
    },
    async exclude(sha256, work) {
      await settled();
      const id = randomUUID();
      const startedAt = clock.now();
      await marks.add({ id, sha256, kind: "removal", expires_at: startedAt + REMOVAL_MS });
      try {
        const isHeld = await marks.isMarked(sha256, "hold", clock.now());
        return !isHeld && clock.now() - startedAt < DECIDE_MS && (await work());
      } finally {
        await unmark(id);
      }
    },
    settled,
  };
}
