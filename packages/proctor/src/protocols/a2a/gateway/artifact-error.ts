// What the artifact service refuses, as an error of A2A that tells a client what it can do.
import { ProctorError, type ErrorCode } from "../../../core/errors.ts";
import { A2aError, type A2aReason } from "../errors.ts";

const REASONS: Partial<Record<ErrorCode, A2aReason>> = {
  INVALID_REQUEST: "INVALID_PARAMS",
  ARTIFACT_NOT_FOUND: "INVALID_PARAMS",
  PAYLOAD_TOO_LARGE: "RESOURCE_EXHAUSTED",
  LIMIT_REACHED: "RESOURCE_EXHAUSTED",
  STORE_FULL: "UNAVAILABLE",
  STORE_UNAVAILABLE: "UNAVAILABLE",
  SHUTTING_DOWN: "UNAVAILABLE",
};

/** Returns the error itself where A2A has no word for it: a bug, which is reported elsewhere. */
export function artifactError(error: unknown, what: string): unknown {
  const reason = ProctorError.is(error) ? REASONS[error.code] : undefined;
  if (!ProctorError.is(error) || reason === undefined) return error;
  return new A2aError(reason, `${what}: ${error.message}`, { cause: error });
}
