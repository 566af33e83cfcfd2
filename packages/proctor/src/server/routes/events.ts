// The events of all runs as one live stream, in the order in which they were committed.
import { isBound, mayUseAgent, type Caller } from "../../core/caller.ts";
import { ProctorError } from "../../core/errors.ts";
import type { EventType } from "../../core/event.ts";
import type { FeedEntry } from "../../core/ports/store.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import type { Call } from "../call.ts";
import type { FeedSource } from "../feed-pages.ts";
import { EVENT_STREAM_HEADERS, type LiveStreams } from "../live-streams.ts";
import { routesOf, type Route } from "../route.ts";
import { EventDocument, FeedQueryParams, type FeedQuery } from "../schemas/event.ts";

/** Events that may have changed the status of their run. */
const STATUS_EVENTS: ReadonlySet<EventType> = new Set<EventType>([
  "run.created",
  "run.queued",
  "run.started",
  "run.paused",
  "run.resumed",
  "run.cancel_requested",
  "run.ended",
  "question.asked",
  "question.answered",
  "question.withdrawn",
  "question.expired",
  "session.parked",
]);

export function eventRoutes(feed: FeedSource | undefined, streams: LiveStreams): Route[] {
  return routesOf({ tag: "Runs", scope: "runs:read" }, [
    {
      id: "getEvents",
      at: "GET /events",
      summary: "Follow the events of all runs",
      description:
        "Server-Sent Events, in the order in which they were committed: everything after `Last-Event-ID` (or `after`), then live; from now on when neither is given. Each frame's `id` is the event's position among the events of all runs, so a browser's EventSource resumes where it was, also after a restart of the hub. A frame that has only an `id` is no event: it says how far the stream has read. The stream never ends by itself. Events of removed runs are left out. With `evaluations=true` the stream also has frames of the event `evaluation` whose data is an EvaluationEvent: one connection tells of everything.",
      query: FeedQueryParams,
      headers: { "Last-Event-ID": "The position of the last event that was seen; wins over `after`." },
      responses: {
        200: { description: "The stream.", frames: EventDocument },
        400: "A filter, `after` or `Last-Event-ID` is wrong, or beyond the last event.",
      },
      async handle(call) {
        const { request } = call;
        const query = readQuery(request.url, FeedQueryParams);
        if (feed === undefined) {
          throw new ProctorError("NOT_SUPPORTED", "this hub keeps no order of the events of all runs");
        }
        const after = await startOf(call, feed, query.after);
        const isHead = request.method === "HEAD";
        const body = isHead
          ? null
          : streams.openFeed(call, feed, {
              after,
              matches: matcher(query, call.caller),
              // Evaluations belong to several agents.
              evaluations: query.evaluations === "true" && !isBound(call.caller),
            });
        return new Response(body, { headers: EVENT_STREAM_HEADERS });
      },
    },
  ]);
}

async function startOf({ request }: Call, feed: FeedSource, after: number | undefined): Promise<number> {
  const { last: end } = await feed.read(Infinity, 1);
  const seen = request.headers.get("last-event-id") ?? "";
  if (seen !== "" && !/^\d{1,15}$/.test(seen)) {
    throw new ProctorError("INVALID_REQUEST", "Last-Event-ID: expected the position of an event");
  }
  const start = seen === "" ? (after ?? end) : Number(seen);
  if (start <= end) return start;
  throw new ProctorError("INVALID_REQUEST", `there is no event ${start} yet: the last one is ${end}`);
}

function matcher(query: FeedQuery, caller: Caller): (entry: FeedEntry) => boolean {
  const { type = [], agent, conversation, run, status_changes, also_run = [] } = query;
  const whole = new Set(also_run);
  const exact = new Set(type);
  const groups = type.flatMap((name) => (name.endsWith(".*") ? [name.slice(0, -1)] : []));
  const isAsked = (name: EventType) =>
    type.length === 0 || exact.has(name) || groups.some((group) => name.startsWith(group));
  const isTheirs = ({ record, agent: name }: FeedEntry): boolean =>
    caller.binding?.kind === "run" ? record.run_id === caller.binding.name : mayUseAgent(caller, name);
  return ({ record, ...entry }) =>
    isTheirs({ record, ...entry }) &&
    (whole.has(record.run_id) ||
      (isAsked(record.type) &&
        (status_changes !== "true" || STATUS_EVENTS.has(record.type)) &&
        (run ?? record.run_id) === record.run_id &&
        (agent ?? entry.agent) === entry.agent &&
        (conversation ?? entry.conversation_id) === entry.conversation_id));
}
