// Errors of the hub as gRPC statuses. What they mean in a protocol's own words is that protocol's business.
import { Code, ConnectError } from "@connectrpc/connect";
import { ProctorError } from "../../core/errors.ts";

/** The metadata under which the code of the hub's own catalogue travels. */
const ERROR_CODE_METADATA = "proctor-error-code";

const BY_HTTP_STATUS: ReadonlyMap<number, Code> = new Map([
  [400, Code.InvalidArgument],
  [401, Code.Unauthenticated],
  [403, Code.PermissionDenied],
  [404, Code.NotFound],
  [405, Code.Unimplemented],
  [406, Code.InvalidArgument],
  [408, Code.DeadlineExceeded],
  [409, Code.FailedPrecondition],
  [413, Code.ResourceExhausted],
  [415, Code.InvalidArgument],
  [416, Code.OutOfRange],
  [426, Code.InvalidArgument],
  [429, Code.ResourceExhausted],
  [431, Code.ResourceExhausted],
  [500, Code.Internal],
  [503, Code.Unavailable],
  [504, Code.DeadlineExceeded],
  [507, Code.Unavailable],
  [508, Code.FailedPrecondition],
]);

export function statusOf(error: ProctorError): Code {
  return BY_HTTP_STATUS.get(error.status) ?? Code.Internal;
}

export function toConnectError(error: ProctorError, metadata: Record<string, string> = {}): ConnectError {
  // A message may repeat half a character that a client sent, which could not be encoded.
  return new ConnectError(error.message.toWellFormed(), statusOf(error), {
    ...metadata,
    [ERROR_CODE_METADATA]: error.code,
  });
}

/** The error that a caller gets: the hub's own errors as they are, and a bug only as an internal error. */
export function refusalOf(problem: unknown, onBug: (problem: unknown) => void): ConnectError {
  if (problem instanceof ConnectError) return problem;
  if (ProctorError.is(problem)) return toConnectError(problem);
  onBug(problem);
  return new ConnectError("an internal error", Code.Internal, { [ERROR_CODE_METADATA]: "INTERNAL_ERROR" });
}
