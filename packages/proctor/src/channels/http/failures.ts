// What went wrong on the way to an agent over HTTP, as failures of its run. Only the origin of an address is named: a path or
// a query may hold a key.
import { STATUS_CODES } from "node:http";
import type { HttpTrouble } from "./trouble.ts";
import { failure, type Failure } from "../../core/failure.ts";

/** The endpoint that was asked, with its name for messages. */
export interface Asked {
  name: string;
  url: URL;
}

export function troubleFailure({ kind, code, message }: HttpTrouble, { url }: Pick<Asked, "url">): Failure {
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

export function redirected(
  status: number,
  location: string | undefined,
  { url }: Pick<Asked, "url">,
): Failure {
  const to = location !== undefined && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  // Only addresses of HTTP have an origin.
  const target = to && (/^https?:$/.test(to.protocol) ? to.origin : to.protocol);
  const where =
    target === undefined
      ? "nowhere"
      : target === url.origin
        ? "another path"
        : target === to?.protocol
          ? `a ${target} address`
          : target;
  const message = `${url.origin} redirects to ${where}, and redirects are not followed: register the agent with its own address`;
  return failure("REDIRECTED", message, { status, ...(target !== undefined && { location: target }) });
}

/** `retryAfter` is the header of that name: seconds, or a date. */
export function httpError(status: number, { name }: Pick<Asked, "name">, retryAfter?: string): Failure {
  const meaning = STATUS_CODES[status] === undefined ? "" : ` ${STATUS_CODES[status]}`;
  const seconds = retryAfter === undefined ? undefined : secondsUntil(retryAfter.trim());
  const wait = seconds === undefined ? "" : `, and asks to wait ${seconds} s (Retry-After)`;
  return failure("HTTP_ERROR", `the agent answered ${name} with ${status}${meaning}${wait}`, {
    status,
    ...(seconds !== undefined && { retry_after_seconds: seconds }),
  });
}

function secondsUntil(retryAfter: string): number | undefined {
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter);
  const time = /[a-z]/i.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - Date.now()) / 1000));
}

export function noContent({ name }: Pick<Asked, "name">): Failure {
  return failure("NO_RESPONSE", `the agent answered ${name} with 204, which has no body`);
}

/** `expected`: "JSON", "an event stream or JSON". */
export function wrongContentType(
  contentType: string | undefined,
  { name }: Pick<Asked, "name">,
  expected: string,
): Failure {
  const shown = contentType === undefined ? null : shortly(contentType);
  const found = shown === null ? "without a content type" : `as ${shown}`;
  return failure("WRONG_CONTENT_TYPE", `the agent answered ${name} ${found} instead of ${expected}`, {
    content_type: shown,
  });
}

export function encodedBody(encoding: string, { name }: Pick<Asked, "name">): Failure {
  const shown = shortly(encoding);
  const message = `the agent answered ${name} encoded as ${shown}, though only identity was accepted`;
  return failure("WRONG_CONTENT_TYPE", message, { content_encoding: shown });
}

const MAX_SHOWN_CHARS = 200;

/** Whole or not at all: half a secret would not be recognised. */
function shortly(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `(${text.length} characters)` : text;
}
