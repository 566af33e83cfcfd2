// A task's events as Server-Sent Events: the same that `/ws` sends. Replay, then follow until the task has ended; a client that
// comes back with the last id it saw misses nothing.
import { ProctorError } from "../../../../core/errors.ts";
import { decodeRecord } from "../../../../core/ports/store.ts";
import { isTerminal } from "../../../../core/run.ts";
import { encodeSse } from "../../../../runtime/http/encode-sse.ts";
import { emptyResponse } from "../../../../runtime/http/respond.ts";
import type { Route, RouteCall } from "../../../../runtime/http/route.ts";
import { sseBody } from "../../../../runtime/http/sse-body.ts";
import { wrongField } from "../shared/read-fields.ts";
import { idsOf, queryOf, refusals } from "../shared/schemas.ts";
import { NOTHING_YET, taskEvents, type TaskEvent, type TaskEventsState } from "../shared/task-events.ts";
import type { Api } from "./context.ts";
import { ApiEvent, EventsQuery } from "./schemas.ts";
import { TASKS_TAG } from "./tasks.ts";

/** Milliseconds after which a reader that lost its connection comes back. */
const RETRY_MS = 1000;
const LATE_PAGE = 500;

export function eventRoutes(api: Api): Route[] {
  return [
    {
      id: "followTaskEvents",
      method: "GET",
      path: "/api/tasks/{task_id}/events",
      scope: "runs:read",
      tag: TASKS_TAG,
      summary: "Follow a task's events",
      description: "Server-Sent Events, replayed from where the client was, until the task has ended.",
      query: EventsQuery,
      headers: { "Last-Event-ID": "`seq` of the last event that the client has; stronger than `since`." },
      responses: {
        200: { description: "The stream; each frame is one event.", frames: ApiEvent },
        204: { description: "The task has ended and the client has everything." },
        ...refusals(400, 404),
      },
      handle: (call) => streamEvents(api, call),
    },
  ];
}

async function streamEvents(api: Api, call: RouteCall): Promise<Response> {
  const { task } = idsOf(call);
  const seen = lastSeen(call);
  const { status } = await api.hub.run(task);
  const reading = new AbortController();
  const stop = (): void => reading.abort();
  const pages = eventPages(api, task, seen, reading.signal);
  // A complete log is read first: a browser that gets 204 does not come back.
  const first = isTerminal(status) && seen >= 0 ? await pages.next() : undefined;
  if (first?.done === true) return emptyResponse(204);
  const headers = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  };
  if (call.request.method === "HEAD") {
    await pages.return(undefined);
    return new Response(null, { headers });
  }
  const open = ({ signal }: Pick<AbortController, "signal">): AsyncIterable<TaskEvent[]> => {
    signal.addEventListener("abort", stop, { once: true });
    return pages;
  };
  const body = sseBody(open, {
    start: encodeSse({ retry: RETRY_MS }) + (first === undefined ? "" : encodePage(first.value)),
    encode: encodePage,
    keepAliveMs: api.keepAliveMs,
    stops: [api.stopping],
    client: call.request.signal,
    onClose() {
      stop();
      void pages.return(undefined).catch(() => undefined);
    },
    // The client comes back to a stream that ends, and misses nothing.
    onFailure(problem) {
      api.report(problem, task);
      return undefined;
    },
  });
  return new Response(body, { headers });
}

/** Leaves the frames without a name, so that `EventSource.onmessage` sees every event. */
function encodePage(events: readonly TaskEvent[]): string {
  return events.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

/** Yields the events after `seen`, page by page, to the end of an ended task's log. */
async function* eventPages(
  { log, hub, uriOf }: Api,
  task: string,
  seen: number,
  signal: AbortSignal,
): AsyncGenerator<TaskEvent[], void> {
  let state = NOTHING_YET;
  let sequence = -1;
  let hasEnded = false;
  const encode = (event: Parameters<typeof taskEvents>[0]): TaskEvent[] => {
    const { events, after } = taskEvents(event, state, uriOf);
    state = after;
    sequence = event.sequence;
    hasEnded ||= event.type === "run.ended";
    return events.filter(({ seq }) => seq > seen);
  };
  try {
    for await (const records of log.records(task, -1, signal)) {
      const page = records.flatMap((record) => encode(decodeRecord(record)));
      if (page.length > 0) yield page;
      if (hasEnded) break;
    }
    // Files that clients added after the end.
    if (!hasEnded) return;
    while (!signal.aborted) {
      const late = await hub.events(task, { after: sequence, limit: LATE_PAGE });
      if (late.length === 0) return;
      const page = late.flatMap(encode);
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

/** Returns the `seq` of the last event the client has: `Last-Event-ID`, as browsers send it, or `since`. */
function lastSeen(call: RouteCall): number {
  const header = call.request.headers.get("last-event-id") ?? "";
  const since = queryOf(call).get("since");
  const [name, text] = header === "" ? ["since", since ?? "-1"] : ["Last-Event-ID", header];
  if (/^(?:-1|\d{1,15})$/.test(text)) return Number(text);
  throw wrongField(name, "must be the seq of an event");
}
