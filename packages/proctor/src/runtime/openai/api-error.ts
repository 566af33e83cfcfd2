// Errors of a model endpoint, in the form that clients of OpenAI's API read. Runs' own models (llm/) and the mock
// (doubles/llm/) both answer in it; it is here because neither of them may import the other.
import type { ProctorError } from "../../core/errors.ts";
import { errorHeaders, jsonResponse, type PlainHeaders } from "../http/respond.ts";

interface ApiErrorOptions {
  /** Kind of the error; follows from the status when absent. */
  type?: string;
  code?: string;
  /** Name of the field of the request that is wrong. */
  param?: string;
  headers?: PlainHeaders;
}

export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly headers: PlainHeaders;

  constructor(status: number, message: string, options: ApiErrorOptions = {}) {
    super(message);
    this.status = status;
    this.type = options.type ?? typeOf(status);
    this.code = options.code ?? null;
    this.param = options.param ?? null;
    this.headers = options.headers ?? {};
  }
}

/** Turns an error of the hub into this form; headers that belong to the error are kept in addition to the given ones. */
export function asApiError(error: ProctorError, headers?: PlainHeaders): ApiError {
  const code = CODES[error.code];
  return new ApiError(error.status, error.message.replace("\n", "; "), {
    ...(code !== undefined && { code }),
    headers: { ...errorHeaders(error), ...headers },
  });
}

const CODES: Partial<Record<ProctorError["code"], string>> = {
  NOT_FOUND: "unknown_url",
  METHOD_NOT_ALLOWED: "method_not_allowed",
  PAYLOAD_TOO_LARGE: "request_too_large",
};

export function errorBody({ message, type, param, code }: ApiError) {
  return { error: { message, type, param, code } };
}

export function errorResponse(error: ApiError): Response {
  return jsonResponse(errorBody(error), error.status, error.headers);
}

/** Returns the type that OpenAI's own API uses for the status. */
function typeOf(status: number): string {
  if (status === 402) return "insufficient_quota";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}
