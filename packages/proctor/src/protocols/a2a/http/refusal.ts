// What was thrown, as A2A's error and what HTTP adds to it: a status where HTTP itself has one, and headers.
import { ProctorError, type ErrorCode } from "../../../core/errors.ts";
import { errorHeaders, type PlainHeaders } from "../../../runtime/http/respond.ts";
import { A2aError, type A2aReason } from "../errors.ts";

export interface Refusal {
  error: A2aError;
  /** HTTP's own status, in place of the one that A2A gives to the error. */
  status?: number;
  headers: PlainHeaders;
}

/** Reasons for the errors that reading a request can throw. */
const OF_HTTP: Partial<Record<ErrorCode, A2aReason>> = {
  UNSUPPORTED_MEDIA_TYPE: "CONTENT_TYPE_NOT_SUPPORTED",
  PAYLOAD_TOO_LARGE: "RESOURCE_EXHAUSTED",
  METHOD_NOT_ALLOWED: "METHOD_NOT_FOUND",
  NOT_FOUND: "METHOD_NOT_FOUND",
  UNAUTHORIZED: "UNAUTHENTICATED",
  FORBIDDEN: "PERMISSION_DENIED",
  SCOPE_MISSING: "PERMISSION_DENIED",
  SHUTTING_DOWN: "UNAVAILABLE",
};

/** `report` is called with a failure of the service, whose details the client must not see. */
export function refusalOf(
  thrown: unknown,
  traceId: string,
  report: (problem: unknown) => void,
  headers: PlainHeaders = {},
): Refusal {
  if (thrown instanceof A2aError) return { error: thrown, headers: { ...retryAfter(thrown), ...headers } };
  if (ProctorError.is(thrown)) {
    const reason = OF_HTTP[thrown.code] ?? (thrown.code === "INVALID_REQUEST" ? "PARSE_ERROR" : undefined);
    if (reason !== undefined)
      return {
        error: new A2aError(reason, thrown.message, { cause: thrown }),
        status: thrown.status,
        headers: { ...errorHeaders(thrown), ...headers },
      };
  }
  report(thrown);
  return { error: internalError(thrown, traceId), headers };
}

/** Tells the client that the server has a problem, and the trace id under which it can be found. */
function internalError(thrown: unknown, traceId: string): A2aError {
  return new A2aError("INTERNAL", `something went wrong here; it is logged as trace ${traceId}`, {
    metadata: { traceId },
    cause: thrown,
  });
}

function retryAfter({ options: { retryAfterSeconds } }: A2aError): PlainHeaders {
  return retryAfterSeconds === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterSeconds)) };
}
