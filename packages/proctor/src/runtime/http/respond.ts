// Makes responses. Headers stay plain objects, which Node's adapter writes without building a Headers object.
import { STATUS_CODES } from "node:http";
import type { ErrorCode, ProctorError } from "../../core/errors.ts";
import { isJsonObject, type Json } from "../../core/json.ts";

export type PlainHeaders = Readonly<Record<string, string>>;

/** Answers of a hub are true only now, so they are not cached. */
const NO_STORE = "no-store";
const JSON_HEADERS: PlainHeaders = { "content-type": "application/json", "cache-control": NO_STORE };

export function jsonResponse(body: unknown, status = 200, headers?: PlainHeaders): Response {
  return jsonText(JSON.stringify(body), status, headers);
}

/** Makes a response from JSON that is already text. */
export function jsonText(body: string, status = 200, headers?: PlainHeaders): Response {
  return new Response(body, {
    status,
    // Written out: an object that begins with a spread and then grows takes V8's slow path, which costs more than the rest of the head.
    headers:
      headers === undefined
        ? JSON_HEADERS
        : { "content-type": "application/json", "cache-control": NO_STORE, ...headers },
  });
}

/** A response without a body. */
export function emptyResponse(status: number, headers?: PlainHeaders): Response {
  return new Response(null, { status, headers: { "cache-control": NO_STORE, ...headers } });
}

export interface ErrorDocument {
  /** HTTP status in words. */
  error: string;
  code: ErrorCode;
  message: string;
  details?: Json;
}

/** Returns an error in the form of the neutral API. `status` differs from the catalogue's where a protocol has another. */
export function errorDocument(error: ProctorError, status: number = error.status): ErrorDocument {
  const { code, message, details } = error;
  return {
    error: STATUS_CODES[status] ?? "Error",
    code,
    message,
    ...(details !== undefined && { details }),
  };
}

/** Returns headers that go with a refusal, whatever the form of its body. */
export function errorHeaders({
  code,
  details,
}: {
  code: ErrorCode;
  details?: Json | undefined;
}): PlainHeaders {
  if (code === "RATE_LIMITED") return { "retry-after": retryAfter(details) };
  return HEADERS[code] ?? {};
}

/** Returns whole seconds, at least one. */
function retryAfter(details: Json | undefined): string {
  const seconds = isJsonObject(details) ? details["retry_after_seconds"] : undefined;
  return String(typeof seconds === "number" ? Math.max(1, Math.ceil(seconds)) : 1);
}

export function errorResponse(error: ProctorError, headers?: PlainHeaders): Response {
  return jsonResponse(errorDocument(error), error.status, { ...errorHeaders(error), ...headers });
}

const HEADERS: Partial<Record<ErrorCode, PlainHeaders>> = {
  UNAUTHORIZED: { "www-authenticate": 'Bearer realm="proctor"' },
  // The hub does not wait for the rest of the body.
  PAYLOAD_TOO_LARGE: { connection: "close" },
  STORE_UNAVAILABLE: { "retry-after": "1" },
  SHUTTING_DOWN: { "retry-after": "1" },
  INBOX_FULL: { "retry-after": "5" },
};
