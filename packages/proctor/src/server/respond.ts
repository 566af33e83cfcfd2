// Makes responses. Headers stay plain objects, which Node's adapter writes without building a Headers object.
import { STATUS_CODES } from "node:http";
import { ProctorError, type ErrorCode } from "../core/errors.ts";
import type { Call } from "./call.ts";

type PlainHeaders = Record<string, string>;

export function jsonResponse(call: Call, body: unknown, status = 200, headers?: PlainHeaders): Response {
  return jsonText(call, JSON.stringify(body), status, headers);
}

/** For JSON that is text already. */
export function jsonText(call: Call, body: string, status = 200, headers?: PlainHeaders): Response {
  const base = { "content-type": "application/json", "x-trace-id": call.traceId };
  return new Response(body, { status, headers: headers === undefined ? base : { ...base, ...headers } });
}

/** A response without a body. */
export function emptyResponse(call: Call, status: number, headers?: PlainHeaders): Response {
  return new Response(null, { status, headers: { "x-trace-id": call.traceId, ...headers } });
}

/** Any thrown value as `{error, code, message, details?}`. What is not a ProctorError is a bug: it is logged, never shown. */
export function errorResponse(call: Call, thrown: unknown, headers?: PlainHeaders): Response {
  if (!ProctorError.is(thrown)) {
    call.failure = { code: "INTERNAL_ERROR", cause: thrown };
    const message = `something went wrong inside Proctor\nreport it with the trace id ${call.traceId}`;
    return errorDocument(call, 500, "INTERNAL_ERROR", message);
  }
  const { code, message, details, status } = thrown;
  call.failure = { code, cause: status >= 500 ? thrown : undefined };
  return errorDocument(call, status, code, message, details, { ...HEADERS[code], ...headers });
}

export function errorDocument(
  call: Call,
  status: number,
  code: ErrorCode,
  message: string,
  details?: unknown,
  headers?: PlainHeaders,
): Response {
  const error = STATUS_CODES[status] ?? "Error";
  const body = details === undefined ? { error, code, message } : { error, code, message, details };
  return jsonResponse(call, body, status, headers);
}

const HEADERS: Partial<Record<ErrorCode, PlainHeaders>> = {
  UNAUTHORIZED: { "www-authenticate": 'Bearer realm="proctor"' },
  PAYLOAD_TOO_LARGE: { connection: "close" },
  STORE_UNAVAILABLE: { "retry-after": "1" },
  SHUTTING_DOWN: { "retry-after": "1" },
};
