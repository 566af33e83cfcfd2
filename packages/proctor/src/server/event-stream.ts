// A run's log as Server-Sent Events: replay, then follow, until the run has ended. The reader pulls pages from the log,
// so one that stalls costs one page of memory and never holds up the run.
import type { EventLog, EventText } from "./event-log.ts";

const FIRST_PAGE = 16;
const LARGEST_PAGE = 512;
/** A page is meant to have about this many characters: fewer events are read when they are large. */
const PAGE_TARGET = 256 * 1024;

export interface EventStreamOptions {
  runId: string;
  after: number;
  keepAliveMs: number;
  signal: AbortSignal;
}

/** The stream as text. Ends after `run.ended` or when the signal aborts. */
export async function* eventStream(log: EventLog, options: EventStreamOptions): AsyncGenerator<string> {
  const { runId, keepAliveMs, signal } = options;
  let { after } = options;
  let limit = FIRST_PAGE;
  yield "retry: 1000\n\n";
  while (!signal.aborted) {
    const page = await log.read(runId, after, limit);
    const last = page.at(-1);
    if (last !== undefined) {
      const text = page.map(encodeFrame).join("");
      yield text;
      if (last.ended) return;
      after = last.sequence;
      const full = page.length === limit;
      limit = text.length > PAGE_TARGET ? Math.max(1, limit >> 1) : Math.min(LARGEST_PAGE, limit << 1);
      if (full) continue;
    }
    const waiting = log.wait(runId, after, signal);
    while (!(await settlesWithin(waiting, keepAliveMs))) yield ": keep-alive\n\n";
  }
}

/** Unnamed, so that `EventSource.onmessage` sees every event. The JSON has no line break in it. */
function encodeFrame({ sequence, json }: EventText): string {
  return `id: ${sequence}\ndata: ${json}\n\n`;
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
