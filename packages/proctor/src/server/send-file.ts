// Bytes that came from an agent or a client, as an answer: a browser never opens them, but gets a download, sandboxed, whose type it must
// not guess. `HEAD`, conditional requests and single ranges work.
import { ProctorError } from "../core/errors.ts";
import type { ByteRange } from "../core/ports/blob-store.ts";
import { attachment } from "../runtime/http/attachment.ts";
import { bodyStream } from "../runtime/http/body-stream.ts";
import { matchesTag, parseByteRange } from "../runtime/http/byte-range.ts";
import { emptyResponse } from "../runtime/http/respond.ts";
import type { Call } from "./call.ts";
import { refuse } from "./refuse.ts";

interface SentFile {
  name: string;
  type: string;
  sizeBytes: number;
  /** Entity tag with its quotation marks. */
  etag: string;
}

/** The headers that `sendFile` understands, for descriptions of routes. */
export const TAKES_RANGES = {
  Range: "One range of bytes: `bytes=0-499`.",
  "If-Range": "The `ETag`; the range counts only while it is current.",
  "If-None-Match": "The `ETag`; answers 304 while it is current.",
};

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.+-]+)*$/;

/** Returns the type that a peer gave, or the fallback where it cannot stand in a header. */
export function safeType(type: string | undefined, fallback = "application/octet-stream"): string {
  return type !== undefined && MEDIA_TYPE.test(type) ? type : fallback;
}

export async function sendFile(
  call: Call,
  { name, type, sizeBytes, etag }: SentFile,
  read: (range?: ByteRange) => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>,
  onFailure: (call: Call, cause: unknown) => void,
): Promise<Response> {
  const { request } = call;
  const headers = { ...contentHeaders(name, type), etag };
  const conditions = request.headers;
  if (matchesTag(conditions.get("if-none-match"), etag)) return emptyResponse(304, headers);
  const ifRange = conditions.get("if-range");
  const rangeHeader = ifRange === null || ifRange === etag ? conditions.get("range") : null;
  const range = parseByteRange(rangeHeader, sizeBytes);
  if (range === "unsatisfiable") {
    const error = new ProctorError("RANGE_NOT_SATISFIABLE", `the artifact has ${sizeBytes} bytes`);
    return refuse(call, error, { "content-range": `bytes */${sizeBytes}` });
  }
  const part = range === "all" ? undefined : range;
  const all = {
    ...headers,
    "content-length": String(part === undefined ? sizeBytes : part.end - part.start + 1),
    ...(part && { "content-range": `bytes ${part.start}-${part.end}/${sizeBytes}` }),
  };
  const status = part === undefined ? 200 : 206;
  if (request.method === "HEAD") return emptyResponse(status, all);
  const body = bodyStream(await read(part), {
    onFailure(cause) {
      onFailure(call, cause);
      call.outgoing?.destroy();
      return call.outgoing !== undefined;
    },
  });
  return new Response(body, { status, headers: all });
}

function contentHeaders(name: string, type: string): Record<string, string> {
  return {
    "content-type": type,
    "content-disposition": attachment(name),
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "same-origin",
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
  };
}
