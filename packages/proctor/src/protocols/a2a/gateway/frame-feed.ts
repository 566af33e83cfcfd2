// The frames of one stream, with a bounded memory of the last ones: a client whose connection broke goes on where it was. The agent is read
// only as fast as a client reads; without a client it is read for a while, into the memory, and then left.
import { jsonSize } from "../../../core/json-size.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { StreamResponse } from "../model.ts";
import type { StreamFrame } from "../service.ts";

export interface FrameFeed {
  /** Yields the frames after the one with this number (-1 for all), then live. One that is no longer remembered is replaced by a snapshot. */
  read(after: number, signal: AbortSignal): AsyncGenerator<StreamFrame>;
  /** Closes the stream of the agent. */
  close(): void;
}

export interface FrameFeedOptions {
  id: string;
  source: AsyncIterable<StreamResponse>;
  /** Ends the waiting of the source. */
  stop: () => void;
  /** Resolves with the present task, in place of frames that are forgotten. */
  snapshot: (signal: AbortSignal) => Promise<StreamResponse>;
  clock: Clock;
  /** Milliseconds for which the feed waits for a client to come back. */
  lingerMs: number;
  /** Called once, when no client can come back any more. */
  onClosed: () => void;
}

interface Kept {
  event: StreamResponse;
  size: number;
}

const MAX_FRAMES = 256;
const MAX_CHARS = 4 * 1024 * 1024;

export function createFrameFeed(options: FrameFeedOptions): FrameFeed {
  const { id, clock, lingerMs } = options;
  const iterator = options.source[Symbol.asyncIterator]();
  const log: Kept[] = [];
  /** Number of the first frame in the log. */
  let base = 0;
  let size = 0;
  let readers = 0;
  let end: { failure?: unknown } | undefined;
  let isClosed = false;
  let pulling: Promise<void> | undefined;
  /** Closes a feed that is never read. */
  let callOff = clock.after(lingerMs, () => close());

  function push(event: StreamResponse): void {
    const kept = { event, size: jsonSize(event) };
    log.push(kept);
    size += kept.size;
    // The newest frame stays, however large it is: a client is about to read it.
    while (log.length > 1 && (log.length > MAX_FRAMES || size > MAX_CHARS)) {
      size -= log.shift()?.size ?? 0;
      base++;
    }
  }

  /** Reads one more frame for all readers that wait for it. */
  function pull(): Promise<void> {
    pulling ??= iterator.next().then(
      ({ done, value }) => {
        pulling = undefined;
        if (done === true) end ??= {};
        else push(value);
      },
      (failure: unknown) => {
        pulling = undefined;
        end ??= { failure };
      },
    );
    return pulling;
  }

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    callOff();
    options.stop();
    end ??= {};
    void iterator.return?.(undefined).catch(() => undefined);
    options.onClosed();
  }

  /** Reads on without a client, until one comes back or the time is up. */
  async function linger(): Promise<void> {
    callOff();
    callOff = clock.after(lingerMs, close);
    const isAlone = (): boolean => readers === 0 && end === undefined;
    while (isAlone()) await pull();
  }

  async function* read(after: number, signal: AbortSignal): AsyncGenerator<StreamFrame> {
    readers++;
    callOff();
    let next = after + 1;
    let wake = (): void => undefined;
    const leave = (): void => wake();
    signal.addEventListener("abort", leave, { once: true });
    /** Resolves when there is another frame, an end, or no reader any more. */
    const grown = (): Promise<void> =>
      new Promise((resolve) => {
        wake = resolve;
        void pull().then(resolve);
      });
    try {
      for (;;) {
        if (next < base) {
          next = base + log.length;
          yield { event: await options.snapshot(signal), id: `${id}-${next - 1}` };
          continue;
        }
        const kept = log[next - base];
        if (kept) {
          yield { event: kept.event, id: `${id}-${next}` };
          next++;
        } else if (end === undefined) {
          // The frame stays for a client that comes back.
          signal.throwIfAborted();
          await grown();
          signal.throwIfAborted();
        } else if ("failure" in end) throw end.failure;
        else return;
      }
    } finally {
      signal.removeEventListener("abort", leave);
      readers--;
      if (readers === 0 && !isClosed) void linger();
    }
  }

  return { read, close };
}
