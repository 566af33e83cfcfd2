// One way to ask the hub: JSON in, JSON out, errors with the hub's own words.
import { apiUrl, type Query } from "./address.ts";
import type { Error as ErrorDocument } from "./gen/schema.ts";
import { authHeaders, refuseToken, token } from "./token.ts";

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface RequestOptions {
  query?: Query;
  body?: unknown;
  /** A body that is no JSON. */
  bytes?: Blob | FormData;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** Sends a request and gives whatever was answered, refusals too. Throws ApiError for a hub that does not answer (status 0). */
export async function ask(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const { query, body, bytes, headers = {}, signal } = options;
  const sent = bytes ?? (body === undefined ? undefined : JSON.stringify(body));
  try {
    return await fetch(apiUrl(path, query), {
      method,
      headers: {
        ...authHeaders(),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
      ...(signal && { signal }),
      credentials: "omit",
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, "UNREACHABLE", "The hub does not answer.");
  }
}

/** Sends a request. Throws ApiError for a refusal, and for a hub that does not answer (status 0). */
export async function send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const used = token.peek();
  const response = await ask(method, path, options);
  if (response.ok) return response;
  const error = await refused(response);
  if (error.status === 401) refuseToken(used, error.message);
  throw error;
}

/** The body is what the OpenAPI document says, to which the types are held. */
export async function request<T>(method: string, path: string, options?: RequestOptions): Promise<T> {
  const response = await send(method, path, options);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

async function refused(response: Response): Promise<ApiError> {
  try {
    const { code, message } = (await response.json()) as ErrorDocument;
    return new ApiError(response.status, code, message);
  } catch {
    return new ApiError(response.status, "UNKNOWN", `The hub answered ${response.status}.`);
  }
}
