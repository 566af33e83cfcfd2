// How often something happened in the last ten seconds, in the room of a hundred numbers.

export interface Rate {
  add(nowMs: number): void;
  /** Returns the rate per second over the last ten seconds, or since the beginning. */
  perSecond(nowMs: number): number;
}

const SLOT_MS = 100;
const SLOTS = 100;
/** Milliseconds of the shortest time over which a rate is computed. */
const LEAST_MS = 1000;

export function createRate(startedAt: number): Rate {
  const counts = new Float64Array(SLOTS);
  const slots = new Float64Array(SLOTS).fill(-1);
  const slotOf = (ms: number): number => Math.floor(Math.max(0, ms - startedAt) / SLOT_MS);
  return {
    add(nowMs) {
      const slot = slotOf(nowMs);
      const index = slot % SLOTS;
      if (slots[index] !== slot) counts[index] = 0;
      slots[index] = slot;
      counts[index] = (counts[index] ?? 0) + 1;
    },
    perSecond(nowMs) {
      const oldest = slotOf(nowMs) - SLOTS;
      const recent = counts.reduce(
        (sum, count, index) => ((slots[index] ?? -1) > oldest ? sum + count : sum),
        0,
      );
      const window = Math.min(SLOTS * SLOT_MS, Math.max(LEAST_MS, nowMs - startedAt));
      return (recent * 1000) / window;
    },
  };
}
