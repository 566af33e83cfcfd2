// Two streams at once on one call: what comes in is handled in order, and answers go out as they are ready.
import type { InboxEntry } from "../../../core/ports/messages.ts";

export interface Answers<Response> {
  push(response: Response): void;
  /** Passes on what an inbox yields, until the call ends. */
  follow(pages: AsyncIterable<readonly InboxEntry[]>, encode: (entry: InboxEntry) => Response): void;
}

type Handle<Request, Response> = (
  request: Request,
  answers: Answers<Response>,
  party: { name: string | undefined },
) => Promise<void>;

/** Entries that wait for a slow client; the inbox is read on when there are fewer. */
const ROOM = 256;

/** Ends when the client has sent its last and everything is answered, or the signal aborts. Throws what `handle` throws. */
export async function* createExchange<Request, Response>(
  requests: AsyncIterable<Request>,
  signal: AbortSignal,
  handle: Handle<Request, Response>,
): AsyncGenerator<Response> {
  const ready: Response[] = [];
  const party: { name: string | undefined } = { name: undefined };
  let isOver = false;
  let failed: { error: unknown } | undefined;
  let wakeReader = (): void => undefined;
  let wakeWriter = (): void => undefined;

  const fail = (error: unknown): void => {
    failed ??= { error };
    wakeReader();
  };
  const push = (response: Response): void => {
    ready.push(response);
    wakeReader();
  };
  async function pass(
    pages: AsyncIterable<readonly InboxEntry[]>,
    encode: (entry: InboxEntry) => Response,
  ): Promise<void> {
    for await (const page of pages) {
      for (const entry of page) {
        while (ready.length >= ROOM && !signal.aborted)
          await new Promise<void>((resolve) => (wakeWriter = resolve));
        push(encode(entry));
      }
    }
  }
  async function hear(): Promise<void> {
    for await (const request of requests) {
      await handle(request, { push, follow: (pages, encode) => void pass(pages, encode).catch(fail) }, party);
    }
    isOver = true;
    wakeReader();
  }

  const stop = (): void => {
    wakeReader();
    wakeWriter();
  };
  signal.addEventListener("abort", stop, { once: true });
  hear().catch(fail);
  try {
    while (!signal.aborted) {
      const next = ready.shift();
      if (next !== undefined) {
        wakeWriter();
        yield next;
        continue;
      }
      if (failed !== undefined) throw failed.error;
      if (isOver) return;
      await new Promise<void>((resolve) => (wakeReader = resolve));
    }
  } finally {
    signal.removeEventListener("abort", stop);
    wakeWriter();
  }
}
