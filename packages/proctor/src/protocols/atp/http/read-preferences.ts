// What a client's request says about itself, before its body is read: which types it sends and takes, and what becomes of its task
// when it leaves. docs/reference/atp.md, "HTTP".
import { ProctorError } from "../../../core/errors.ts";
import {
  ATP_JSON,
  EVENT_STREAM,
  jsonTypeOf,
  negotiate,
  parseMediaType,
  PLAIN_JSON,
  type JsonType,
} from "./media.ts";

export interface Preferences {
  /** Media type of the response, or of a refusal. */
  type: JsonType;
  /** True when the task goes on after the client has disconnected. */
  keep: boolean;
  /** Sequence of the last event that the client has of an earlier request; the task is then continued, and none is started. */
  after: number | undefined;
}

/** Throws the ProctorError that refuses the request. */
export function readPreferences(request: Request, stream: boolean): Preferences {
  const { headers } = request;
  const sent = contentTypeOf(headers);
  // A client that takes anything gets back the type that it sent.
  const offers: JsonType[] = sent === ATP_JSON ? [ATP_JSON, PLAIN_JSON] : [PLAIN_JSON, ATP_JSON];
  const accept = headers.get("accept");
  const type = negotiate(accept, offers);
  // For a stream, Accept may name the type of the stream or the version of the messages in it.
  if (type === undefined && !(stream && negotiate(accept, [EVENT_STREAM]))) throw notAcceptable(stream);
  return {
    type: type ?? sent,
    keep: keepsTask(request),
    after: stream ? lastEventId(headers.get("last-event-id")) : undefined,
  };
}

function contentTypeOf(headers: Headers): JsonType {
  const type = parseMediaType(headers.get("content-type"));
  const json = jsonTypeOf(type);
  const charset = type?.parameters.get("charset")?.toLowerCase() ?? "utf-8";
  const encoding = headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (json !== undefined && charset === "utf-8" && encoding === "identity") return json;
  throw new ProctorError(
    "UNSUPPORTED_MEDIA_TYPE",
    `the body must be JSON in UTF-8, uncompressed\nsend it with Content-Type: ${ATP_JSON}, or ${PLAIN_JSON}`,
  );
}

function notAcceptable(stream: boolean): ProctorError {
  const types = [...(stream ? [EVENT_STREAM] : []), ATP_JSON, PLAIN_JSON];
  return new ProctorError(
    "NOT_ACCEPTABLE",
    `Accept names none of the types there are\naccept ${types.join(" or ")}`,
    {
      details: { types },
    },
  );
}

function keepsTask(request: Request): boolean {
  const query = request.url.includes("?") ? new URL(request.url).searchParams.get("on_disconnect") : null;
  const wish = request.headers.get("atp-on-disconnect") ?? query ?? "cancel";
  if (wish === "keep" || wish === "cancel") return wish === "keep";
  throw new ProctorError("INVALID_REQUEST", "ATP-On-Disconnect is neither keep nor cancel");
}

function lastEventId(header: string | null): number | undefined {
  if (header === null || header === "") return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new ProctorError(
    "INVALID_REQUEST",
    "Last-Event-ID is not the id of an event\nsend the id of the last frame that arrived",
  );
}
