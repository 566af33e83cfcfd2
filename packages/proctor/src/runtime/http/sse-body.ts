// Pages of a live list as the body of an event stream. It is pulled: a client that stalls costs one page of memory and holds up
// nobody. It ends with the list, when the client leaves, or when the server stops.
import { watchPromise } from "../time/watch-promise.ts";
import { bodyStream } from "./body-stream.ts";
import { encodeSse } from "./encode-sse.ts";

export interface SseBodyOptions<T> {
  /** Frames of one page. */
  encode: (page: T) => string | Uint8Array;
  /** Frames that come before the first page. */
  start?: string;
  /** Milliseconds for which the stream may be silent before a comment is sent. */
  keepAliveMs: number;
  /** Each of these signals ends the stream in an orderly way; the client may come back with the id of its last frame. */
  stops?: readonly AbortSignal[];
  /** Aborted when the client has left. */
  client?: AbortSignal;
  /** Called once when the stream is over; `left` when it is because the client went away. */
  onClose?: (how: "ended" | "left") => void;
  /**
   * Called when reading the pages fails. What it returns is sent as a comment before the stream ends; a client that comes back loses
   * nothing.
   */
  onFailure: (problem: unknown) => string | undefined;
}

const KEEP_ALIVE = Buffer.from(encodeSse({ comment: "keep-alive" }));

/** `open` starts the list; its signal is aborted as soon as nobody wants more pages, and an error after that is ignored. */
export function sseBody<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  options: SseBodyOptions<T>,
): ReadableStream<Uint8Array> {
  const { stops = [], client } = options;
  const reading = new AbortController();
  const stop = (): void => reading.abort();
  const leave = (): void => close("left");
  let isOpen = true;

  function close(how: "ended" | "left"): void {
    if (!isOpen) return;
    isOpen = false;
    for (const signal of stops) signal.removeEventListener("abort", stop);
    client?.removeEventListener("abort", leave);
    reading.abort();
    options.onClose?.(how);
  }

  for (const signal of stops) signal.addEventListener("abort", stop, { once: true });
  client?.addEventListener("abort", leave, { once: true });
  if (stops.some(({ aborted }) => aborted)) stop();
  if (client?.aborted === true) leave();

  return bodyStream(frames(open, reading.signal, options), {
    onClose: close,
    // Never called: the frames end when the pages fail.
    onFailure: () => false,
  });
}

async function* frames<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
  { start, encode, keepAliveMs, onFailure }: SseBodyOptions<T>,
): AsyncGenerator<Uint8Array> {
  if (start !== undefined) yield Buffer.from(start);
  if (signal.aborted) return;
  const pages = open(signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = pages.next();
      const settlesWithin = watchPromise(next);
      while (!(await settlesWithin(keepAliveMs))) yield KEEP_ALIVE;
      const { done, value } = await next;
      if (done === true || signal.aborted) return;
      const text = encode(value);
      yield typeof text === "string" ? Buffer.from(text) : text;
    }
  } catch (problem) {
    const comment = signal.aborted ? undefined : onFailure(problem);
    if (comment !== undefined) yield Buffer.from(encodeSse({ comment }));
  } finally {
    void pages.return?.().catch(() => undefined);
  }
}
