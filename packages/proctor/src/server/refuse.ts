// Answers whatever was thrown while a request was handled. What is not a ProctorError is a bug: it is logged, never shown.
import { ProctorError } from "../core/errors.ts";
import { errorResponse, type PlainHeaders } from "../runtime/http/respond.ts";
import type { Call } from "./call.ts";

export function refuse(call: Call, thrown: unknown, headers?: PlainHeaders): Response {
  const error = ProctorError.is(thrown) ? thrown : bug(call);
  call.failure = { code: error.code, ...(error.status >= 500 && { cause: thrown }) };
  return errorResponse(error, headers);
}

function bug({ traceId }: Call): ProctorError {
  return new ProctorError(
    "INTERNAL_ERROR",
    `something went wrong inside Proctor\nreport it with the trace id ${traceId}`,
  );
}
