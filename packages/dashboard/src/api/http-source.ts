// Documents of a hub, over HTTP.
import { apiUrl } from "./address.ts";
import type { Error as ErrorDocument } from "./gen/schema.ts";
import { ApiError } from "./request.ts";
import type { RequestOptions, Source } from "./source.ts";
import { authHeaders, refuseToken, token } from "./token.ts";

export const httpSource: Source = { send, isHub: true };

async function send(method: string, path: string, options: RequestOptions): Promise<Response> {
  const { query, body, headers = {}, signal } = options;
  const used = token.peek();
  let response: Response;
  try {
    response = await fetch(apiUrl(path, query), {
      method,
      headers: {
        ...authHeaders(),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      credentials: "omit",
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, "UNREACHABLE", "The hub does not answer.");
  }
  if (response.ok) return response;
  const error = await refused(response);
  if (error.status === 401) refuseToken(used, error.message);
  throw error;
}

async function refused(response: Response): Promise<ApiError> {
  try {
    const { code, message } = (await response.json()) as ErrorDocument;
    return new ApiError(response.status, code, message);
  } catch {
    return new ApiError(response.status, "UNKNOWN", `The hub answered ${response.status}.`);
  }
}
