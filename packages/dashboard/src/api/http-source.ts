// Documents of a hub, over HTTP.
import { apiUrl } from "./address.ts";
import type { Error as ErrorDocument } from "./gen/schema.ts";
import { ApiError } from "./request.ts";
import type { RequestOptions, Source } from "./source.ts";
import { authHeaders, refuseToken, token } from "./token.ts";

export const httpSource: Source = { send, isHub: true };

/** Sends a request and resolves with any answer, refusals included. Throws ApiError for a hub that does not answer (status 0). */
export async function ask(method: string, path: string, options: RequestOptions): Promise<Response> {
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

async function send(method: string, path: string, options: RequestOptions): Promise<Response> {
  const used = token.peek();
  const response = await ask(method, path, options);
  if (response.ok) return response;
  throw await refused(response, used);
}

/** Resolves with the hub's own words for what it refused. Where that was the token of the request, another one is asked for. */
export async function refused(response: Response, used: string | undefined): Promise<ApiError> {
  const error = await readError(response);
  if (error.status === 401) refuseToken(used, error.message);
  return error;
}

async function readError(response: Response): Promise<ApiError> {
  try {
    const { code, message } = (await response.json()) as ErrorDocument;
    return new ApiError(response.status, code, message);
  } catch {
    return new ApiError(response.status, "UNKNOWN", `The hub answered ${response.status}.`);
  }
}
