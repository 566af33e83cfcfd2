// Gathers what is written in one turn of the event loop: a line for each of many runs, in few calls of the system.
import type { Write } from "./reporter.ts";

interface BufferedWrite {
  write: Write;
  /** Writes everything that waits. Throws the error of a failed write, including one since the last call. */
  flush: () => void;
}

const MAX_CHARS = 64 * 1024;

export function bufferWrites(write: Write): BufferedWrite {
  let waiting = "";
  let scheduled = false;
  let failed: { error: unknown } | undefined;

  function flush(): void {
    if (failed) throw failed.error;
    if (waiting === "") return;
    const text = waiting;
    waiting = "";
    write(text);
  }

  function flushLater(): void {
    scheduled = false;
    try {
      flush();
    } catch (error) {
      // No caller could catch the error now: the next writer gets it.
      failed ??= { error };
    }
  }

  return {
    flush,
    write(text) {
      waiting += text;
      if (waiting.length > MAX_CHARS) return flush();
      if (failed) throw failed.error;
      if (scheduled) return;
      scheduled = true;
      setImmediate(flushLater);
    },
  };
}
