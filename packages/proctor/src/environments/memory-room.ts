// Files of terminals are held in memory, up to the disk limit of each. Those that may together need more than there is wait for each
// other, in the order in which they came, so that the machine never runs out of memory.

export interface MemoryRoom {
  /** Bytes that one request may have at most. */
  readonly bytes: number;
  /** Resolves, when there is room, with a function that gives it back. Rejects when the signal aborts. */
  take(bytes: number, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  bytes: number;
  go: () => void;
}

export function createMemoryRoom(bytes: number): MemoryRoom {
  const waiting = new Set<Waiting>();
  let used = 0;

  function admit(): void {
    for (const one of waiting) {
      // No request overtakes another, or a large one might wait for ever.
      if (used > 0 && used + one.bytes > bytes) return;
      waiting.delete(one);
      used += one.bytes;
      one.go();
    }
  }

  return {
    bytes,
    async take(wanted, signal) {
      signal.throwIfAborted();
      let leave = (): void => undefined;
      await new Promise<void>((resolve, reject) => {
        const one = { bytes: wanted, go: resolve };
        leave = () => {
          if (!waiting.delete(one)) return;
          reject(signal.reason);
          admit();
        };
        signal.addEventListener("abort", leave, { once: true });
        waiting.add(one);
        admit();
      }).finally(() => signal.removeEventListener("abort", leave));
      let given = false;
      return () => {
        if (given) return;
        given = true;
        used -= wanted;
        admit();
      };
    },
  };
}
