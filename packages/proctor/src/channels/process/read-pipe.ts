// Reads one output pipe into the outbox. Stops reading while too much of it waits there, so that the pipe fills up and
// the writer blocks.
import type { Readable } from "node:stream";
import type { LineSplitter } from "../lines/split-lines.ts";
import type { Outbox } from "./outbox.ts";
import { labelLine } from "./process-output.ts";
import type { OutputStream, ProcessOutput } from "./process-output.ts";

interface PipeReader {
  /** Resolves after the `closed` item was put out. */
  readonly closed: Promise<void>;
  /**
   * Call it when the writer has ended. Reads what is left in the pipe, then stops: at the pipe's end, or when it is silent for
   * `idleMs`, or when more comes than a pipe can hold. Time during which the reader is held back does not count.
   */
  finish(idleMs: number): void;
  /** Stops at once. */
  destroy(): void;
}

const READ_AHEAD_BYTES = 512 * 1024;
/** Bytes counted for each batch in addition to its content, so that a flood of tiny lines or tiny writes is held back as well. */
const BATCH_COST_BYTES = 1024;
const ITEM_COST_BYTES = 64;
/** Reads of up to 64 KiB each: many times what the kernel buffers. More than that comes from a process that outlived the writer. */
const READS_AFTER_EXIT = 64;

export function readPipe(
  pipe: Readable,
  stream: OutputStream,
  outbox: Outbox<ProcessOutput>,
  splitter: LineSplitter,
): PipeReader {
  let waitingBytes = 0;
  let reads = 0;
  let ending: { idleMs: number; lastRead: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let done = false;
  let resolveClosed = (): void => {};
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve;
  });

  function onData(chunk: Buffer): void {
    reads++;
    const items = splitter.push(chunk).map((line) => labelLine(stream, line));
    if (items.length > 0) {
      const cost = chunk.length + BATCH_COST_BYTES + items.length * ITEM_COST_BYTES;
      waitingBytes += cost;
      outbox.put(items, () => {
        waitingBytes -= cost;
        if (pipe.isPaused() && waitingBytes < READ_AHEAD_BYTES) {
          pipe.resume();
          watchSilence();
        }
      });
      if (waitingBytes >= READ_AHEAD_BYTES) pipe.pause();
    }
    if (ending && reads >= ending.lastRead) close();
    else watchSilence();
  }

  function watchSilence(): void {
    clearTimeout(timer);
    if (ending && !done && !pipe.isPaused()) timer = setTimeout(onSilence, ending.idleMs);
  }

  function onSilence(): void {
    // After a stall of the event loop timers come first: give the pipe its turn before believing it is silent.
    const readsBefore = reads;
    setImmediate(() => {
      if (reads === readsBefore && !pipe.isPaused()) close();
    });
  }

  function close(): void {
    if (done) return;
    done = true;
    clearTimeout(timer);
    pipe.off("data", onData);
    pipe.destroy();
    outbox.put([...splitter.end().map((line) => labelLine(stream, line)), { kind: "closed", stream }]);
    resolveClosed();
  }

  pipe.on("data", onData);
  pipe.once("end", close);
  pipe.once("close", close);
  // A broken pipe is an ended one; "close" follows.
  pipe.on("error", close);

  return {
    closed,
    finish(idleMs) {
      ending ??= { idleMs, lastRead: reads + READS_AFTER_EXIT };
      watchSilence();
    },
    destroy: close,
  };
}
