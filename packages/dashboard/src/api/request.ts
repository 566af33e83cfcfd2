// One way to ask: JSON in, JSON out, errors with the hub's own words.
import { source, type RequestOptions } from "./source.ts";

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Sends a request. Throws ApiError for a refusal, and for a hub that does not answer (status 0). */
export async function send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  return source().send(method, path, options);
}

/** Sends a request and resolves with the JSON of the answer, which is what the OpenAPI document says, as the types are. */
export async function request<T>(method: string, path: string, options?: RequestOptions): Promise<T> {
  const response = await send(method, path, options);
  return (response.status === 204 ? undefined : await response.json()) as T;
}
