// Pages of a live list as the body of an event stream. It is pulled: a client that stalls costs one page of memory and holds up
// nobody. It ends with the list, when the client leaves, or when the hub stops.
import { encodeSse } from "../../../../runtime/http/encode-sse.ts";

export interface PulledText<T> {
  encode: (page: T) => string;
  keepAliveMs: number;
  /** Whichever comes first ends the stream. */
  stops: readonly AbortSignal[];
  /** Ends whoever makes the pages. */
  reading: AbortController;
  report: (problem: unknown) => void;
}

const KEEP_ALIVE = encodeSse({ comment: "keep-alive" });

export function pulledText<T>(
  start: string,
  pages: AsyncGenerator<T>,
  { encode, keepAliveMs, stops, reading, report }: PulledText<T>,
): ReadableStream<Uint8Array> {
  const stop = (): void => reading.abort();
  let next: Promise<IteratorResult<T, unknown>> | undefined;
  let text: string | undefined = start;
  let isOpen = true;

  function close(): void {
    isOpen = false;
    for (const signal of stops) signal.removeEventListener("abort", stop);
    stop();
    void pages.return(undefined).catch(() => undefined);
  }

  /** The next part; undefined at the end. */
  async function read(): Promise<string | undefined> {
    if (text !== undefined) {
      const first = text;
      text = undefined;
      return first;
    }
    next ??= pages.next();
    const result = await within(next, keepAliveMs);
    if (result === undefined) return KEEP_ALIVE;
    next = undefined;
    return result.done === true ? undefined : encode(result.value);
  }

  for (const signal of stops) {
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
  }

  return new ReadableStream(
    {
      async pull(controller) {
        let part: string | undefined;
        try {
          part = await read();
        } catch (problem) {
          // A stream that ends is one to come back to: nothing is lost.
          if (!reading.signal.aborted) report(problem);
        }
        if (!isOpen) return;
        if (part !== undefined) return controller.enqueue(Buffer.from(part));
        close();
        controller.close();
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

async function within<T>(waiting: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([waiting, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
