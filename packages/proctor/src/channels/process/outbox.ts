// A queue of batches that were produced and not yet taken, for one reader. Producers learn when their batch is taken, so that
// each can hold back while too much of its own is waiting.

export interface Outbox<T> {
  put(batch: readonly T[], onTaken?: () => void): void;
  /** Reports that nothing more will come. */
  end(): void;
  /** Resolves with the next batch; undefined after the end. */
  take(): Promise<readonly T[] | undefined>;
  /** Reports that the reader has stopped: what is here and what still comes is dropped. */
  abandon(): void;
}

export function createOutbox<T>(): Outbox<T> {
  let queue: { batch: readonly T[]; onTaken: (() => void) | undefined }[] = [];
  let readers: ((batch: readonly T[] | undefined) => void)[] = [];
  let ended = false;

  function end(): void {
    ended = true;
    for (const reader of readers) reader(undefined);
    readers = [];
  }

  return {
    put(batch, onTaken) {
      if (ended) return;
      const reader = readers.shift();
      if (reader) {
        reader(batch);
        onTaken?.();
      } else {
        queue.push({ batch, onTaken });
      }
    },
    end,
    take() {
      const next = queue.shift();
      if (next) {
        next.onTaken?.();
        return Promise.resolve(next.batch);
      }
      if (ended) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        readers.push(resolve);
      });
    },
    abandon() {
      queue = [];
      end();
    },
  };
}
