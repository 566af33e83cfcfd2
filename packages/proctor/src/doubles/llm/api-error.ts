// What can go wrong at the endpoint, in the shape that clients of OpenAI's API read.
import type { JsonObject } from "../../core/json.ts";

export interface ApiErrorOptions {
  type?: string;
  code?: string;
  /** The field of the request that is wrong. */
  param?: string;
  headers?: Record<string, string>;
}

export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, options: ApiErrorOptions = {}) {
    super(message);
    this.status = status;
    this.type = options.type ?? typeOf(status);
    this.code = options.code ?? null;
    this.param = options.param ?? null;
    this.headers = options.headers ?? {};
  }
}

export function encodeError({ message, type, param, code }: ApiError): JsonObject {
  return { error: { message, type, param, code } };
}

/** The words of OpenAI's own answers. */
function typeOf(status: number): string {
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}
