// A task's messages as the body of an event stream. It is pulled: a client that stalls costs one page of memory and never
// holds up the task.
import { encodeSse } from "../../../runtime/http/encode-sse.ts";
import type { Execution, ExecutionMessage } from "../execution.ts";

export interface EventBodyOptions {
  after: number;
  keepAliveMs: number;
  /** Ends the stream; the client may come back with the id of its last frame. */
  stopping: AbortSignal;
  /** The client has left. */
  client: AbortSignal;
  /** Called once when the client leaves before it had the response. */
  onLeave: () => void;
  /** The log could not be read on. */
  onFailure: (problem: unknown) => void;
  traceId: string;
}

type Page = readonly ExecutionMessage[];

export function eventBody(execution: Execution, options: EventBodyOptions): ReadableStream<Uint8Array> {
  const { after, keepAliveMs, stopping, client, onLeave, traceId } = options;
  const reading = new AbortController();
  const stop = (): void => reading.abort();
  const pages = execution.messages(after, reading.signal)[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<Page, unknown>> | undefined;
  let state: "open" | "answered" | "closed" = "open";
  let cancelled = false;

  function close(): void {
    state = "closed";
    client.removeEventListener("abort", leave);
    stopping.removeEventListener("abort", stop);
    reading.abort();
    void pages.return?.().catch(() => undefined);
  }

  function leave(): void {
    // A connection that a stopping hub cuts is not one that the client left.
    const early = state === "open" && !stopping.aborted;
    if (state !== "closed") close();
    if (early) onLeave();
  }

  /** The next part of the stream; undefined at its end. */
  async function read(): Promise<string | undefined> {
    next ??= pages.next();
    const result = await within(next, keepAliveMs);
    if (result === undefined) return KEEP_ALIVE;
    next = undefined;
    if (result.done === true) return undefined;
    if (result.value.at(-1)?.kind === "response") state = "answered";
    return result.value.map(encodeMessage).join("");
  }

  client.addEventListener("abort", leave);
  stopping.addEventListener("abort", stop);
  if (client.aborted) leave();
  else if (stopping.aborted) stop();

  return new ReadableStream(
    {
      async pull(controller) {
        let text: string | undefined;
        let failed = false;
        try {
          if (state !== "closed") text = await read();
        } catch (problem) {
          failed = !reading.signal.aborted;
          if (failed) options.onFailure(problem);
        }
        if (text !== undefined && state !== "closed") return controller.enqueue(Buffer.from(text));
        // A stream without a response is one to come back to: nothing is lost.
        if (failed && !cancelled)
          controller.enqueue(Buffer.from(encodeSse({ comment: `broken off, trace ${traceId}` })));
        if (state !== "closed") close();
        if (!cancelled) controller.close();
      },
      cancel() {
        cancelled = true;
        leave();
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
}

const KEEP_ALIVE = encodeSse({ comment: "keep-alive" });

/** Written out, because the text of a message is JSON on one line and needs none of the care that other data does. */
function encodeMessage(message: ExecutionMessage): string {
  return message.kind === "event"
    ? `id: ${message.sequence}\nevent: event\ndata: ${message.text}\n\n`
    : `event: response\ndata: ${message.text}\n\n`;
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
