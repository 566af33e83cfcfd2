// A run's log: as JSON pages, or as a live stream that can be left and joined again without missing an event.
import type { z } from "zod";
import { isBound } from "../../core/caller.ts";
import { ProctorError } from "../../core/errors.ts";
import { DEFAULT_PAGE_LIMIT } from "../../core/page.ts";
import type { Hub } from "../../core/ports/hub.ts";
import { isTerminal } from "../../core/run.ts";
import type { Call } from "../call.ts";
import { cutEvent } from "../cut-event.ts";
import type { EventLog, EventText } from "../event-log.ts";
import { EVENT_STREAM_HEADERS, type LiveStreams } from "../live-streams.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { emptyResponse, jsonText } from "../../runtime/http/respond.ts";
import { runParam } from "../call.ts";
import { routesOf, type Route } from "../route.ts";
import { EventDocument, EventList, EventQueryParams } from "../schemas/event.ts";
import { RUN_NOT_FOUND } from "./refusals.ts";

/** Characters after which a page is full, whatever its limit. */
const MAX_PAGE_SIZE = 4 * 1024 * 1024;
const READ_AT_ONCE = 100;

export function runEventRoutes(log: EventLog, streams: LiveStreams): Route[] {
  return routesOf({ tag: "Runs", scope: "runs:read" }, [
    {
      id: "getRunEvents",
      at: "GET /runs/{id}/events",
      summary: "Read or follow a run's events",
      description:
        "A page of JSON, or, with `Accept: text/event-stream`, Server-Sent Events: everything after `Last-Event-ID` (or `after`), then live until the run ends. Each frame's `id` is the event's sequence, so a browser's EventSource resumes where it was; after the last event the answer to a reconnect is 204, which makes it stop.",
      query: EventQueryParams,
      headers: {
        Accept: "`application/json` or `text/event-stream`.",
        "Last-Event-ID": "For a stream: the sequence of the last event that was seen.",
      },
      responses: {
        200: {
          description:
            "A page of events; `next_cursor` is null after the last event of an ended run. Or the stream.",
          schema: EventList,
          frames: EventDocument,
        },
        204: "Streams only: the run has ended and there is nothing after `Last-Event-ID`.",
        400: "`after`, the cursor or `Last-Event-ID` is wrong.",
        404: RUN_NOT_FOUND,
      },
      async handle(call) {
        const { request, hub } = call;
        const id = runParam(call);
        // The log itself is read from the store, which knows no callers.
        if (isBound(call.caller)) await hub.run(id);
        const query = readQuery(request.url, EventQueryParams);
        const after =
          query.cursor === undefined ? (query.after ?? -1) : parseSequence("cursor", query.cursor);
        if (!request.headers.get("accept")?.includes("text/event-stream")) {
          return jsonText(await pageOf(hub, log, id, after, query));
        }
        const lastEventId = request.headers.get("last-event-id") ?? "";
        const seen = lastEventId === "" ? after : parseSequence("Last-Event-ID", lastEventId);
        return openStream(call, id, seen, request.method === "HEAD");
      },
    },
  ]);

  async function openStream(call: Call, id: string, seen: number, headOnly: boolean): Promise<Response> {
    // The status is read first: if the run had ended by then, the log that is read next is complete.
    const { status } = await call.hub.run(id);
    if (seen >= 0) {
      const [from, next] = await log.read(id, seen - 1, 2);
      if (from?.sequence !== seen)
        throw new ProctorError("INVALID_REQUEST", `the run has no event ${seen} yet`);
      if (next === undefined && isTerminal(status)) return emptyResponse(204);
    }
    const body = headOnly ? null : streams.open(call, id, seen, isTerminal(status));
    return new Response(body, { headers: EVENT_STREAM_HEADERS });
  }
}

async function pageOf(
  hub: Hub,
  log: EventLog,
  id: string,
  after: number,
  query: z.infer<typeof EventQueryParams>,
): Promise<string> {
  const { last, brief } = query;
  if (last === undefined)
    return readPage(hub, log, id, { after, limit: query.limit ?? DEFAULT_PAGE_LIMIT, brief });
  if (query.after !== undefined || query.cursor !== undefined) {
    throw new ProctorError("INVALID_REQUEST", "query field last: cannot be combined with after or cursor");
  }
  const end = await lastSequence(log, id);
  return readPage(hub, log, id, { after: Math.max(-1, end - last), limit: last, brief });
}

/** Resolves with the last event's sequence, -1 without any. Sequences have no gaps, so that a few reads find it. */
async function lastSequence(log: EventLog, id: string): Promise<number> {
  const exists = async (sequence: number) => (await log.read(id, sequence - 1, 1)).length > 0;
  let step = 1;
  let found = -1;
  while (await exists(found + step)) {
    found += step;
    step *= 2;
  }
  for (; step >= 1; step = Math.floor(step / 2)) if (await exists(found + step)) found += step;
  return found;
}

interface PageOptions {
  after: number;
  limit: number;
  brief: number | undefined;
}

/** Reads a page as the text of `{items, next_cursor}`. */
async function readPage(
  hub: Hub,
  log: EventLog,
  id: string,
  { after, limit, brief }: PageOptions,
): Promise<string> {
  let page = await readSome(log, id, after, limit);
  if (page.length === 0 && isTerminal((await hub.run(id)).status)) {
    // The run may have ended since the page was read.
    page = await readSome(log, id, after, limit);
    if (page.length === 0) return encodePage(page, null, brief);
  }
  const last = page.at(-1);
  const isLast = last?.ended === true && (await log.read(id, last.sequence, 1)).length === 0;
  return encodePage(page, isLast ? null : String(last?.sequence ?? after), brief);
}

/** Reads up to `limit` events, fewer when they are large: the next page has the rest. */
async function readSome(log: EventLog, id: string, after: number, limit: number): Promise<EventText[]> {
  const events: EventText[] = [];
  let size = 0;
  while (events.length < limit && size < MAX_PAGE_SIZE) {
    const wanted = Math.min(READ_AT_ONCE, limit - events.length);
    const some = await log.read(id, events.at(-1)?.sequence ?? after, wanted);
    events.push(...some);
    if (some.length < wanted) break;
    for (const event of some) size += event.json.length;
  }
  return events;
}

function encodePage(
  page: readonly EventText[],
  nextCursor: string | null,
  brief: number | undefined,
): string {
  const items = page.map(({ json }) => (brief === undefined ? json : cutEvent(json, brief))).join(",");
  return `{"items":[${items}],"next_cursor":${JSON.stringify(nextCursor)}}`;
}

function parseSequence(name: "cursor" | "Last-Event-ID", text: string): number {
  if (/^(?:-1|\d{1,15})$/.test(text)) return Number(text);
  if (name === "cursor") throw new ProctorError("INVALID_CURSOR", "the cursor was not issued by this list");
  throw new ProctorError("INVALID_REQUEST", "Last-Event-ID: expected the sequence of an event");
}
