// What the hub refuses, in A2A's words.
import { ProctorError, type ErrorCode } from "../../../core/errors.ts";
import { isJsonObject } from "../../../core/json.ts";
import { A2aError, type A2aErrorOptions, type A2aReason, type FieldViolation } from "../errors.ts";

const REASONS: Partial<Record<ErrorCode, A2aReason>> = {
  INVALID_REQUEST: "INVALID_PARAMS",
  INVALID_CURSOR: "INVALID_PARAMS",
  IDEMPOTENCY_CONFLICT: "INVALID_PARAMS",
  QUESTION_NOT_FOUND: "INVALID_PARAMS",
  RUN_NOT_FOUND: "TASK_NOT_FOUND",
  RUN_ENDED: "UNSUPPORTED_OPERATION",
  NOT_SUPPORTED: "UNSUPPORTED_OPERATION",
  ANSWERED_ALREADY: "UNSUPPORTED_OPERATION",
  CONVERSATION_BUSY: "UNSUPPORTED_OPERATION",
  ILLEGAL_TRANSITION: "UNSUPPORTED_OPERATION",
  FORBIDDEN: "PERMISSION_DENIED",
  LIMIT_REACHED: "RESOURCE_EXHAUSTED",
  PAYLOAD_TOO_LARGE: "RESOURCE_EXHAUSTED",
  SHUTTING_DOWN: "UNAVAILABLE",
  STORE_UNAVAILABLE: "UNAVAILABLE",
  STORE_FULL: "UNAVAILABLE",
  OWNER_SILENT: "UNAVAILABLE",
};

/** Throws an A2aError in place of what the hub throws where A2A has an error for it, and anything else as it is. */
export async function inA2aWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw toA2aError(thrown);
  }
}

export function toA2aError(thrown: unknown): unknown {
  if (!ProctorError.is(thrown)) return thrown;
  const reason = REASONS[thrown.code];
  if (reason === undefined) return thrown;
  const fields = fieldsOf(thrown);
  const options: A2aErrorOptions = {
    cause: thrown,
    metadata: { code: thrown.code },
    ...(fields.length > 0 && { fields }),
    ...(thrown.retryable && { retryAfterSeconds: 1 }),
  };
  return new A2aError(reason, thrown.message.replaceAll(/\n\s*/g, "; "), options);
}

function fieldsOf({ details }: ProctorError): FieldViolation[] {
  if (!Array.isArray(details)) return [];
  return details.filter(isJsonObject).flatMap(({ path, message }) => {
    return typeof path === "string" && typeof message === "string"
      ? [{ field: path, description: message }]
      : [];
  });
}
