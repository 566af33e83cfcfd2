// A task's events as Server-Sent Events: the same that `/ws` tells. Replay, then follow until the task has ended; a client that
// comes back with the last id it saw misses nothing.
import { encodeSse } from "../../../../runtime/http/encode-sse.ts";
import { ProctorError } from "../../../../core/errors.ts";
import { decodeRecord } from "../../../../core/ports/store.ts";
import { isTerminal } from "../../../../core/run.ts";
import { NOTHING_YET, taskEvents, type TaskEvent, type TaskEventsState } from "../shared/task-events.ts";
import { wrongField } from "./read-fields.ts";
import type { Api, ApiCall, Handler } from "./context.ts";
import { pulledText } from "./pulled-text.ts";

/** When a reader that lost its connection comes back. */
const RETRY_MS = 1000;
const LATE_PAGE = 500;

export const streamEvents: Handler = async (api, call) => {
  const seen = lastSeen(call);
  const { status } = await api.hub.run(call.task);
  const reading = new AbortController();
  const pages = eventPages(api, call.task, seen, reading.signal);
  // A log that is complete is looked at first: a browser that is told 204 does not come back.
  const first = isTerminal(status) && seen >= 0 ? await pages.next() : undefined;
  if (first?.done === true) return new Response(null, { status: 204, headers: NO_STORE });
  const headers = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  };
  if (call.request.method === "HEAD") {
    await pages.return?.(undefined);
    return new Response(null, { headers });
  }
  const start = encodeSse({ retry: RETRY_MS }) + (first === undefined ? "" : encodePage(first.value));
  const body = pulledText(start, pages, {
    encode: encodePage,
    keepAliveMs: api.keepAliveMs,
    stops: [api.stopping, call.request.signal],
    reading,
    report: (problem) => api.report(problem, call.task),
  });
  return new Response(body, { headers });
};

const NO_STORE = { "cache-control": "no-store" };

/** Unnamed, so that `EventSource.onmessage` sees every event. */
function encodePage(events: readonly TaskEvent[]): string {
  return events.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** The events after `seen`, page by page, until the log of an ended task has been told. */
async function* eventPages(
  { log, hub, uriOf }: Api,
  task: string,
  seen: number,
  signal: AbortSignal,
): AsyncGenerator<TaskEvent[]> {
  let state = NOTHING_YET;
  let sequence = -1;
  let hasEnded = false;
  const tell = (event: Parameters<typeof taskEvents>[0]): TaskEvent[] => {
    const { events, after } = taskEvents(event, state, uriOf);
    state = after;
    sequence = event.sequence;
    hasEnded ||= event.type === "run.ended";
    return events.filter(({ seq }) => seq > seen);
  };
  try {
    for await (const records of log.records(task, -1, signal)) {
      const page = records.flatMap((record) => tell(decodeRecord(record)));
      if (page.length > 0) yield page;
      if (hasEnded) break;
    }
    // Files that came after the end.
    if (!hasEnded) return;
    while (!signal.aborted) {
      const late = await hub.events(task, { after: sequence, limit: LATE_PAGE });
      if (late.length === 0) return;
      const page = late.flatMap(tell);
      if (page.length > 0) yield page;
    }
  } catch (error) {
    if (!ProctorError.is(error) || error.code !== "RUN_NOT_FOUND") throw error;
    yield [deletion(task, state)];
  }
}

function deletion(task: string, { next }: TaskEventsState): TaskEvent {
  return { type: "task.deleted", task_id: task, data: {}, timestamp: new Date().toISOString(), seq: next };
}

/** The `seq` of the last event the client has: `Last-Event-ID`, as browsers send it, or `since`. */
function lastSeen({ request, query }: ApiCall): number {
  const header = request.headers.get("last-event-id") ?? "";
  const since = query().get("since");
  const [name, text] = header === "" ? ["since", since ?? "-1"] : ["Last-Event-ID", header];
  if (/^(?:-1|\d{1,15})$/.test(text)) return Number(text);
  throw wrongField(name, "must be the seq of an event");
}
