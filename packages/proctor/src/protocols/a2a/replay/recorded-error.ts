// Errors of A2A as a recording holds them: with what an agent said, or with what became of the connection to it.
import type { Failure } from "../../../core/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import { TransportFailure } from "../client/transport-failure.ts";
import { A2aError, errorOfReason } from "../errors.ts";

/** Writes the parts of an error that decide how it is handled. Bytes that came instead of an answer are already in the log. */
export function writeError({ reason, message, options, cause }: A2aError): JsonObject {
  const { code, fields, retryAfterSeconds, metadata } = options;
  const trouble = cause instanceof TransportFailure ? cause : undefined;
  return {
    reason,
    message,
    ...(code !== undefined && { code }),
    ...(fields && { fields: [...fields] as Json[] }),
    ...(metadata && { metadata }),
    ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
    ...(trouble && {
      failure: trouble.failure,
      ...(trouble.status !== undefined && { status: trouble.status }),
      // Events are JSON.
      reports: trouble.reports.filter(({ kind }) => kind === "event") as unknown as Json[],
    }),
  };
}

/** Reads what `writeError` wrote; anything else becomes an answer that cannot be used. */
export function readError(value: Json): A2aError {
  const error = isJsonObject(value) ? value : {};
  const { reason, message, code, fields, metadata, retry_after_seconds: seconds } = error;
  return new A2aError(
    (typeof reason === "string" ? errorOfReason(reason) : undefined) ?? "INVALID_AGENT_RESPONSE",
    typeof message === "string" ? message : "the recorded error cannot be read",
    {
      ...(typeof code === "number" && { code }),
      // They have the form that `writeError` gave them.
      ...(Array.isArray(fields) && { fields: fields as unknown as { field: string; description: string }[] }),
      ...(isJsonObject(metadata) && { metadata: metadata as Record<string, string> }),
      ...(typeof seconds === "number" && { retryAfterSeconds: seconds }),
      ...causeIn(error),
    },
  );
}

function causeIn({ failure, status, reports }: JsonObject): { cause?: TransportFailure } {
  if (!isJsonObject(failure)) return {};
  // Both have the form that `writeError` gave them.
  const cause = new TransportFailure(failure as unknown as Failure, {
    reports: (Array.isArray(reports) ? reports : []) as unknown as AgentReport[],
    ...(typeof status === "number" && { status }),
  });
  return { cause };
}
