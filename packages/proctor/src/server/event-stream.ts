// A run's log as Server-Sent Events: replay, then follow, until the run has ended. The reader pulls pages from the log,
// so one that stalls costs one page of memory and never holds up the run.
import type { EventLog } from "./event-log.ts";

/** When a reader that lost its connection comes back. */
const RETRY_MS = 1000;
const FIRST_PAGE = 16;
const LARGEST_PAGE = 512;
/** A page is meant to have about this many characters: fewer events are read when they are large. */
const PAGE_TARGET = 256 * 1024;

/** Writes one frame; given from outside, because a server knows no channels. */
export type EncodeSse = (frame: { id?: string; data?: string; retry?: number; comment?: string }) => string;

export interface EventStreamOptions {
  encode: EncodeSse;
  runId: string;
  after: number;
  /** The run had ended when the stream was asked for: there is nothing to wait for. */
  ended: boolean;
  keepAliveMs: number;
  signal: AbortSignal;
}

/** The stream as text. Ends after `run.ended`, with the log of a run that had ended before or was removed, or when the signal aborts. */
export async function* eventStream(log: EventLog, options: EventStreamOptions): AsyncGenerator<string> {
  const { encode, runId, keepAliveMs, signal } = options;
  let { after } = options;
  let limit = FIRST_PAGE;
  let woken = false;
  yield encode({ retry: RETRY_MS });
  while (!signal.aborted) {
    const read = await log.read(runId, after, limit);
    // Clients may have added artifacts since: whoever comes back with the end as the last event it saw gets them.
    const end = read.findIndex(({ ended }) => ended);
    const page = end === -1 ? read : read.slice(0, end + 1);
    const last = page.at(-1);
    if (last !== undefined) {
      // Unnamed, so that `EventSource.onmessage` sees every event.
      const text = page.map(({ sequence, json }) => encode({ id: `${sequence}`, data: json })).join("");
      yield text;
      if (last.ended) return;
      after = last.sequence;
      const full = read.length === limit;
      limit = text.length > PAGE_TARGET ? Math.max(1, limit >> 1) : Math.min(LARGEST_PAGE, limit << 1);
      if (full) continue;
    }
    // Woken for nothing: the run is gone.
    if (options.ended || (woken && last === undefined)) return;
    woken = true;
    const waiting = log.wait(runId, after, signal);
    while (!(await settlesWithin(waiting, keepAliveMs))) yield encode({ comment: "keep-alive" });
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
