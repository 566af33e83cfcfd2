// What went wrong on the way to an agent and back, where A2A has no word for it: it travels as the cause of an A2aError, so that a gateway
// can pass the error on and a driver knows how its run failed.
import { failure, isRetryable, type Failure } from "../../../core/failure.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import { A2A_ERRORS, A2aError, type A2aReason } from "../errors.ts";

export class TransportFailure extends Error {
  override readonly name = "TransportFailure";
  readonly failure: Failure;
  /** What is worth keeping of the answer: the beginning of a body that cannot be used. */
  readonly reports: readonly AgentReport[];
  /** HTTP status; absent when no answer came. */
  readonly status: number | undefined;

  constructor(failed: Failure, { reports = [], status }: { reports?: AgentReport[]; status?: number } = {}) {
    super(failed.message);
    this.failure = failed;
    this.reports = reports;
    this.status = status;
  }
}

/** Ways in which a connection ends, after which the agent may still be at work. */
const BROKEN: ReadonlySet<string> = new Set(["UNREACHABLE", "CONNECTION_LOST", "TLS_FAILED"]);
const BY_STATUS: Readonly<Record<number, A2aReason>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "UNAVAILABLE",
};

export function transportError(
  failed: Failure,
  more: { reports?: AgentReport[]; status?: number } = {},
): A2aError {
  const { status = 0 } = more;
  const seconds = failed.details?.["retry_after_seconds"];
  const reason = BROKEN.has(failed.code) ? "UNAVAILABLE" : (BY_STATUS[status] ?? "INVALID_AGENT_RESPONSE");
  return new A2aError(reason, failed.message, {
    cause: new TransportFailure(failed, more),
    ...(typeof seconds === "number" && { retryAfterSeconds: seconds }),
  });
}

/** Makes the error for an answer that cannot be used: it is cut, not JSON, or against the binding. */
export function unusable(message: string, reports: AgentReport[] = []): A2aError {
  return transportError(failure("INVALID_RESPONSE", message), { reports });
}

/** Returns whether it is unknown what the agent made of the request: asking again may help. */
export function isBroken(error: A2aError): boolean {
  const { cause } = error;
  if (cause instanceof TransportFailure) {
    const { code } = cause.failure;
    return code !== "TLS_FAILED" && (BROKEN.has(code) || (cause.status ?? 0) >= 500 || isRetryable(code));
  }
  return error.reason === "UNAVAILABLE" || error.reason === "RESOURCE_EXHAUSTED";
}

/** Returns the failure of a run that this error ends. */
export function failureOf(error: A2aError, asked: string): Failure {
  if (error.cause instanceof TransportFailure) return error.cause.failure;
  if (error.reason === "INVALID_AGENT_RESPONSE") return failure("INVALID_RESPONSE", error.message);
  const { code, reason, fields } = error;
  const said = error.message === "" ? A2A_ERRORS[reason].message : error.message;
  return {
    code: OURS[reason] ?? "AGENT_FAILED",
    message: `the agent refused ${asked}: ${said}${HINTS[reason] ?? ""}`,
    details: {
      reason,
      code,
      ...(fields.length > 0 && { fields: [...fields] }),
      ...(error.options.retryAfterSeconds !== undefined && {
        retry_after_seconds: error.options.retryAfterSeconds,
      }),
    },
  };
}

const HINTS: Partial<Record<A2aReason, string>> = {
  EXTENSION_SUPPORT_REQUIRED: "\nput the URIs of the extensions that it requires into options.extensions",
  VERSION_NOT_SUPPORTED: "\noptions.version says which version is spoken",
  UNAUTHENTICATED: "\noptions.auth says who we are",
};

/** Reasons which mean that our request was wrong, and not that the agent failed. */
const OURS: Partial<Record<A2aReason, string>> = {
  PARSE_ERROR: "INVALID_REQUEST",
  INVALID_REQUEST: "INVALID_REQUEST",
  INVALID_PARAMS: "INVALID_REQUEST",
  METHOD_NOT_FOUND: "INVALID_REQUEST",
  CONTENT_TYPE_NOT_SUPPORTED: "INVALID_REQUEST",
  EXTENSION_SUPPORT_REQUIRED: "INVALID_REQUEST",
  VERSION_NOT_SUPPORTED: "INVALID_REQUEST",
  UNAUTHENTICATED: "HTTP_ERROR",
  PERMISSION_DENIED: "HTTP_ERROR",
  RESOURCE_EXHAUSTED: "HTTP_ERROR",
};
