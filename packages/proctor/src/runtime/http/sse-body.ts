// Pages of a live list as the body of an event stream. It is pulled: a client that stalls costs one page of memory and holds up
// no one else. It ends with the list, when the client leaves, or when the server stops.
import { LazyAbortController } from "../../core/lazy-abort-controller.ts";
import { encodeSse, type SseFrame } from "./encode-sse.ts";

export interface SseBodyOptions<T> {
  /** Encodes the frames of one page. */
  encode: (page: T) => string | Uint8Array;
  /** Frames that come before the first page. */
  start?: string;
  /** Milliseconds for which the stream may be silent before a comment is sent. */
  keepAliveMs: number;
  /** Signals that end the stream in an orderly way; the client may reconnect with the id of its last frame. */
  stops?: readonly AbortSignal[];
  /** Signal that is aborted when the client has left. */
  client?: AbortSignal;
  /** Called once when the stream is over; `left` when the client went away. */
  onClose?: (how: "ended" | "left") => void;
  /** Called when reading the pages fails. It returns the last frame; a client that reconnects loses nothing. */
  onFailure: (problem: unknown) => SseFrame | undefined;
}

const KEEP_ALIVE = Buffer.from(encodeSse({ comment: "keep-alive" }));

/** Starts the list. The signal is aborted as soon as no more pages are wanted; it costs nothing where it is not used. */
type Open<T> = (reading: Pick<AbortController, "signal">) => AsyncIterable<T>;

/** Returns the body. `open` starts the list; an error after its signal was aborted is ignored. */
export function sseBody<T>(open: Open<T>, options: SseBodyOptions<T>): ReadableStream<Uint8Array> {
  const { stops = [], client } = options;
  const reading = new LazyAbortController();
  const stop = (): void => reading.abort();
  const leave = (): void => close("left");
  const frames = readFrames(open, reading, options);
  let isOpen = true;

  function close(how: "ended" | "left"): void {
    if (!isOpen) return;
    isOpen = false;
    for (const signal of stops) signal.removeEventListener("abort", stop);
    client?.removeEventListener("abort", leave);
    reading.abort();
    frames.close();
    options.onClose?.(how);
  }

  for (const signal of stops) signal.addEventListener("abort", stop, { once: true });
  client?.addEventListener("abort", leave, { once: true });
  if (stops.some(({ aborted }) => aborted)) stop();
  if (client?.aborted === true) leave();

  let isCancelled = false;
  return new ReadableStream(
    {
      async pull(controller) {
        const frame = await frames.next();
        if (isCancelled) return;
        if (frame !== undefined) return controller.enqueue(frame);
        controller.close();
        close("ended");
      },
      cancel() {
        isCancelled = true;
        close("left");
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
}

interface Frames {
  /** Resolves with the next bytes, or undefined at the end. Never rejects. */
  next(): Promise<Uint8Array | undefined>;
  close(): void;
}

type Arrived<T> = { result: IteratorResult<T> } | { problem: unknown };

/** Yields frames without a generator: a stream may have very many frames, and every step between them costs. */
function readFrames<T>(
  open: Open<T>,
  reading: LazyAbortController,
  { start, encode, keepAliveMs, onFailure }: SseBodyOptions<T>,
): Frames {
  let first = start;
  let pages: AsyncIterator<T> | undefined;
  let isAsked = false;
  let isOver = false;
  let arrived: Arrived<T> | undefined;
  let wake = (): void => undefined;
  /** One timer for the whole stream: it is only ever postponed. */
  let silence: NodeJS.Timeout | undefined;

  const onResult = (result: IteratorResult<T>): void => {
    arrived = { result };
    wake();
  };
  const onProblem = (problem: unknown): void => {
    arrived = { problem };
    wake();
  };

  /** Resolves when a page has arrived, or when the stream was silent for too long. */
  function pageOrSilence(): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve;
      if (silence === undefined) silence = setTimeout(() => wake(), keepAliveMs);
      else silence.refresh();
    });
  }

  async function next(): Promise<Uint8Array | undefined> {
    if (first !== undefined) {
      const text = first;
      first = undefined;
      return Buffer.from(text);
    }
    if (isOver || reading.aborted) return close();
    try {
      pages ??= open(reading)[Symbol.asyncIterator]();
      if (!isAsked) pages.next().then(onResult, onProblem);
      isAsked = true;
      if (arrived === undefined) await pageOrSilence();
      const what = arrived;
      if (what === undefined) return KEEP_ALIVE;
      arrived = undefined;
      isAsked = false;
      if ("problem" in what) throw what.problem;
      const { done, value } = what.result;
      if (done === true || reading.aborted) return close();
      const text = encode(value);
      return typeof text === "string" ? Buffer.from(text) : text;
    } catch (problem) {
      const last = reading.aborted ? undefined : onFailure(problem);
      close();
      return last && Buffer.from(encodeSse(last));
    }
  }

  function close(): undefined {
    isOver = true;
    clearTimeout(silence);
    void pages?.return?.().catch(() => undefined);
    pages = undefined;
  }

  return { next, close };
}
