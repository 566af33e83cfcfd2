// What can go wrong at a model endpoint, in the shape that clients of OpenAI's API read.

export interface ApiErrorOptions {
  type?: string;
  code?: string;
  headers?: Readonly<Record<string, string>>;
}

export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, options: ApiErrorOptions = {}) {
    super(message);
    this.status = status;
    this.type = options.type ?? typeOf(status);
    this.code = options.code ?? null;
    this.headers = options.headers ?? {};
  }
}

export interface ErrorBody {
  error: { message: string; type: string; param: null; code: string | null };
}

export function errorBody({ message, type, code }: ApiError): ErrorBody {
  return { error: { message, type, param: null, code } };
}

export function errorResponse(error: ApiError): Response {
  return jsonResponse(JSON.stringify(errorBody(error)), error.status, error.headers);
}

export function jsonResponse(
  text: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(text, {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}

/** The words of OpenAI's own answers. */
function typeOf(status: number): string {
  if (status === 402) return "insufficient_quota";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}
