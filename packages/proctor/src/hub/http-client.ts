// Requests to a hub elsewhere. Whatever goes wrong comes back as the error the hub meant, or as HUB_UNREACHABLE.
import { ERRORS, isErrorCode, ProctorError, type ErrorCode } from "../core/errors.ts";
import { isJsonObject, type Json } from "../core/json.ts";
import { refuseDeep } from "../core/refuse-deep.ts";

export interface HttpRequest {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Value that is sent as JSON. */
  body?: unknown;
  /** Bytes that are streamed as they are. */
  content?: AsyncIterable<Uint8Array>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Whether the hub does nothing twice when it gets the request twice, though it is no GET and has no idempotency key. */
  repeatable?: boolean;
}

export interface HttpClient {
  /** Resolves to a 2xx answer; everything else is thrown as a ProctorError. */
  send(path: string, request?: HttpRequest): Promise<Response>;
  /** Resolves to the JSON body of a 2xx answer. */
  sendJson<T>(path: string, request?: HttpRequest): Promise<T>;
}

const MAX_ERROR_TEXT = 500;

export function createHttpClient({ url, token }: { url: string; token?: string }): HttpClient {
  const base = url.replace(/\/+$/, "");

  async function send(path: string, request: HttpRequest = {}): Promise<Response> {
    const { method = "GET", body, content, headers = {}, signal } = request;
    const text = body === undefined ? undefined : textOf(body);
    let response: Response;
    try {
      response = await fetch(`${base}${path}`, {
        method,
        // A redirect could send the token to another server.
        redirect: "error",
        headers: {
          accept: "application/json",
          ...headers,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(text !== undefined && { "content-type": "application/json" }),
        },
        ...(text !== undefined && { body: text }),
        ...(content !== undefined && { body: ReadableStream.from(content), duplex: "half" as const }),
        ...(signal !== undefined && { signal }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw unreachable(base, error);
    }
    if (response.ok) return response;
    throw await decodeError(response, base);
  }

  return {
    send,
    async sendJson<T>(path: string, request?: HttpRequest): Promise<T> {
      const response = await send(path, request);
      try {
        // The hub's own API answers with the documents of core, which it checks against its schemas.
        return (await response.json()) as T;
      } catch (error) {
        request?.signal?.throwIfAborted();
        throw unreachable(base, error);
      }
    },
  };
}

export function unreachable(base: string, error: unknown): ProctorError {
  return new ProctorError(
    "HUB_UNREACHABLE",
    `the hub at ${base} does not answer: ${reasonOf(error)}\nstart one with \`proctor up\`, or leave out --hub and PROCTOR_URL to work without one`,
    { cause: error },
  );
}

async function decodeError(response: Response, base: string): Promise<ProctorError> {
  const text = await response.text().catch(() => "");
  const body = parse(text);
  const code = isJsonObject(body) && typeof body["code"] === "string" ? body["code"] : "";
  if (isJsonObject(body) && isErrorCode(code)) {
    const { message, details } = body;
    return new ProctorError(
      code,
      typeof message === "string" ? withHint(code, message) : ERRORS[code].meaning,
      details === undefined ? {} : { details },
    );
  }
  // Not our hub, or something in between: a proxy, a login page, another program on that port.
  const what = text.trim().slice(0, MAX_ERROR_TEXT).split("\n")[0] ?? "";
  return new ProctorError(
    codeOfStatus(response.status),
    `${base} answered ${response.status} ${response.statusText}${what === "" ? "" : `: ${what}`}\nis this the address of a Proctor hub?`,
  );
}

function withHint(code: ErrorCode, message: string): string {
  return code === "UNAUTHORIZED"
    ? `${message.split("\n")[0]}\nset PROCTOR_TOKEN to a token of that hub`
    : message;
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 401) return "UNAUTHORIZED";
  if (status === 403) return "FORBIDDEN";
  if (status === 413) return "PAYLOAD_TOO_LARGE";
  return "HUB_UNREACHABLE";
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Returns why a request failed. fetch hides the reason in `cause`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message;
  return cause instanceof Error ? cause.message : error.message;
}

/** Returns the body as JSON. Throws INVALID_REQUEST for one that is nested too deeply to be written down. */
function textOf(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    refuseDeep(body, "the body");
    throw error;
  }
}
