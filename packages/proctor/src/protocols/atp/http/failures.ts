// What went wrong on the way to an agent over HTTP, as failures of its run. Only the origin of an address is named: a path or
// a query may hold a key.
import { STATUS_CODES } from "node:http";
import type { HttpTrouble } from "../../../channels/http/trouble.ts";
import { failure, type Failure } from "../../../core/failure.ts";
import type { Door } from "./doors.ts";

export function troubleFailure({ kind, code, message }: HttpTrouble, { url }: Door): Failure {
  const text = `${url.origin} ${message}`;
  const details = { reason: code };
  switch (kind) {
    case "unsendable":
      return failure("INVALID_REQUEST", text, details);
    case "unreachable":
      return failure("UNREACHABLE", text, details);
    case "tls":
      return failure("TLS_FAILED", text, details);
    case "malformed":
      return failure("INVALID_RESPONSE", text, details);
    case "lost":
    case "closed":
      return failure("CONNECTION_LOST", text, details);
  }
}

export function redirected(status: number, location: string | undefined, { url }: Door): Failure {
  const known = location !== undefined && URL.canParse(location, url.href);
  const target = known ? new URL(location, url).origin : undefined;
  const where = target === undefined ? "nowhere" : target === url.origin ? "another path" : target;
  const message = `${url.origin} redirects to ${where}, and redirects are not followed: register the agent with its own address`;
  return failure("REDIRECTED", message, { status, ...(target !== undefined && { location: target }) });
}

export function httpError(status: number, { name }: Door): Failure {
  const meaning = STATUS_CODES[status] === undefined ? "" : ` ${STATUS_CODES[status]}`;
  return failure("HTTP_ERROR", `the agent answered ${name} with ${status}${meaning}`, { status });
}

export function noContent({ name }: Door): Failure {
  return failure("NO_RESPONSE", `the agent answered ${name} with 204, which has no body`);
}

export function wrongContentType(contentType: string | undefined, { name }: Door): Failure {
  const expected = name === "/execute" ? "JSON" : "an event stream or JSON";
  const shown = contentType === undefined ? null : shortly(contentType);
  const found = shown === null ? "without a content type" : `as ${shown}`;
  return failure("WRONG_CONTENT_TYPE", `the agent answered ${name} ${found} instead of ${expected}`, {
    content_type: shown,
  });
}

export function encodedBody(encoding: string, { name }: Door): Failure {
  const shown = shortly(encoding);
  const message = `the agent answered ${name} encoded as ${shown}, though only identity was accepted`;
  return failure("WRONG_CONTENT_TYPE", message, { content_encoding: shown });
}

const MAX_SHOWN_CHARS = 200;

/** Whole or not at all: half a secret would not be recognised. */
function shortly(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `(${text.length} characters)` : text;
}
