// The statuses of gRPC and what they mean in ATP, both ways: docs/reference/atp.md, "gRPC". A status is for a call that did
// not become a task; a task that failed is a response.
import { ConnectError } from "@connectrpc/connect";
import { statusOf, toConnectError } from "../../../channels/grpc/status.ts";
import type { ProctorError } from "../../../core/errors.ts";
import type { FailureCode } from "../../../core/failure.ts";
import type { ATP_ERROR_CODES } from "../errors.ts";

type AtpErrorCode = (typeof ATP_ERROR_CODES)[number];

export interface StatusMeaning {
  name: string;
  /** Failure of a run whose agent answered with the status; null where it did not fail but was cancelled. */
  failure: FailureCode | null;
  /** The ATP error code that our clients get with the status; null when there is none. */
  atp: AtpErrorCode | null;
}

const meaning = (name: string, failure: FailureCode | null, atp: AtpErrorCode | null): StatusMeaning => ({
  name,
  failure,
  atp,
});

export const STATUSES: Record<number, StatusMeaning> = {
  0: meaning("OK", "NO_RESPONSE", null),
  1: meaning("CANCELLED", null, null),
  2: meaning("UNKNOWN", "INTERNAL_ERROR", "INTERNAL_ERROR"),
  3: meaning("INVALID_ARGUMENT", "INVALID_REQUEST", "INVALID_REQUEST"),
  4: meaning("DEADLINE_EXCEEDED", "TIMEOUT", "TIMEOUT"),
  5: meaning("NOT_FOUND", "INVALID_REQUEST", "INVALID_REQUEST"),
  6: meaning("ALREADY_EXISTS", "INVALID_REQUEST", "INVALID_REQUEST"),
  7: meaning("PERMISSION_DENIED", "INVALID_REQUEST", "INVALID_REQUEST"),
  8: meaning("RESOURCE_EXHAUSTED", "BUDGET_EXCEEDED", "BUDGET_EXCEEDED"),
  9: meaning("FAILED_PRECONDITION", "INVALID_REQUEST", "INVALID_REQUEST"),
  10: meaning("ABORTED", "INTERNAL_ERROR", "INTERNAL_ERROR"),
  11: meaning("OUT_OF_RANGE", "INVALID_REQUEST", "INVALID_REQUEST"),
  12: meaning("UNIMPLEMENTED", "INVALID_RESPONSE", "INVALID_REQUEST"),
  13: meaning("INTERNAL", "INTERNAL_ERROR", "INTERNAL_ERROR"),
  // An agent that says so has not begun; once something was heard, the connection was lost (failures.ts).
  14: meaning("UNAVAILABLE", "UNREACHABLE", "INTERNAL_ERROR"),
  15: meaning("DATA_LOSS", "INTERNAL_ERROR", "INTERNAL_ERROR"),
  16: meaning("UNAUTHENTICATED", "INVALID_REQUEST", "INVALID_REQUEST"),
};

const UNKNOWN = meaning("UNKNOWN", "INTERNAL_ERROR", "INTERNAL_ERROR");

/** Metadata key under which ATP's code travels with a status. */
export const ATP_ERROR_METADATA = "atp-error-code";

/** Returns the meaning of a status; numbers that gRPC does not know are UNKNOWN to it. */
export function meaningOf(status: number): StatusMeaning {
  return STATUSES[status] ?? UNKNOWN;
}

/** Returns an error of the hub as the status that refuses a client's call. */
export function encodeError(error: ProctorError): ConnectError {
  const { atp } = meaningOf(statusOf(error));
  return toConnectError(error, atp === null ? {} : { [ATP_ERROR_METADATA]: atp });
}

/** Returns a status of our own making, to a client. */
export function callError(message: string, status: ConnectError["code"]): ConnectError {
  const { atp } = meaningOf(status);
  return new ConnectError(message, status, atp === null ? {} : { [ATP_ERROR_METADATA]: atp });
}
