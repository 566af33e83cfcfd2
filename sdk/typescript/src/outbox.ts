// The messages that wait to be sent to one client. A client may be slow, as long as it takes something from time to time.
import type { Writable } from "node:stream";

export interface OutboxLimits {
  /** Milliseconds after which a client that takes nothing is dropped. */
  stallMs: number;
  maxBufferedBytes: number;
}

export interface Outbox {
  send(bytes: Buffer): void;
  /** Ends the stream once everything has been sent. */
  end(): void;
  /** Whether something still waits to be sent. */
  isBusy(): boolean;
}

/** Bytes that are written at once: few enough to notice that a slow client still reads, enough to carry many messages. */
const PIECE_BYTES = 64 * 1024;

/** Creates an outbox that destroys the stream when a limit is reached. */
export function createOutbox(stream: Writable, limits: OutboxLimits): Outbox {
  let queue: Buffer[] = [];
  let bufferedBytes = 0;
  let sending: Buffer | undefined;
  let ending = false;
  let stalled: NodeJS.Timeout | undefined;
  stream.once("close", () => {
    queue = [];
    clearTimeout(stalled);
  });

  function pump(): void {
    if (sending !== undefined || stream.destroyed) return;
    if (queue.length === 0) {
      if (ending) stream.end();
      return;
    }
    const piece = takePiece();
    sending = piece;
    // When an agent kept this process busy, the callback of a finished write comes later in this turn of the event loop.
    const giveUp = (): unknown => sending === piece && stream.destroy();
    stalled = setTimeout(() => setImmediate(giveUp), limits.stallMs);
    stream.write(piece, () => {
      clearTimeout(stalled);
      sending = undefined;
      bufferedBytes -= piece.length;
      pump();
    });
  }

  /** Takes many small messages at once, or a part of a large one. */
  function takePiece(): Buffer {
    let size = 0;
    let count = 0;
    while (count < queue.length && size < PIECE_BYTES) size += queue[count++]?.length ?? 0;
    const taken = Buffer.concat(queue.slice(0, count));
    const piece = taken.subarray(0, PIECE_BYTES);
    const rest = taken.subarray(PIECE_BYTES);
    queue.splice(0, count, ...(rest.length > 0 ? [rest] : []));
    return piece;
  }

  return {
    send(bytes) {
      if (ending || stream.destroyed) return;
      if (bufferedBytes > limits.maxBufferedBytes) {
        stream.destroy();
        return;
      }
      bufferedBytes += bytes.length;
      queue.push(bytes);
      pump();
    },
    end() {
      ending = true;
      pump();
    },
    isBusy: () => sending !== undefined || queue.length > 0,
  };
}
