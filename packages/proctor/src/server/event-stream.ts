// A run's log as Server-Sent Events: replay, then follow, until the run has ended. The reader pulls pages from the log,
// so one that stalls costs one page of memory and never holds up the run.
import type { EventLog } from "./event-log.ts";
import type { EncodeSse, EventPages } from "./event-pages.ts";

/** When a reader that lost its connection comes back. */
const RETRY_MS = 1000;

export interface EventStreamOptions {
  encode: EncodeSse;
  runId: string;
  after: number;
  /** The run had ended when the stream was asked for: there is nothing to wait for. */
  ended: boolean;
  keepAliveMs: number;
  signal: AbortSignal;
}

/** Ends after `run.ended`, with the log of a run that had ended before or was removed, or when the signal aborts. */
export async function* eventStream(
  log: Pick<EventLog, "wait">,
  pages: EventPages,
  options: EventStreamOptions,
): AsyncGenerator<Uint8Array> {
  const { encode, runId, keepAliveMs, signal } = options;
  let { after } = options;
  let woken = false;
  yield Buffer.from(encode({ retry: RETRY_MS }));
  while (!signal.aborted) {
    const page = await pages.read(runId, after);
    if (page !== undefined) {
      yield page.bytes;
      if (page.ended) return;
      after = page.last;
      if (page.full) continue;
    }
    // Woken for nothing: the run is gone.
    if (options.ended || (woken && page === undefined)) return;
    woken = true;
    const waiting = log.wait(runId, after, signal);
    while (!(await settlesWithin(waiting, keepAliveMs))) yield Buffer.from(encode({ comment: "keep-alive" }));
  }
}

async function settlesWithin(waiting: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([waiting.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
