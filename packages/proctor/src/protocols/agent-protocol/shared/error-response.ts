// What is refused, in the form that both task APIs share: `{error, code, message, details?}`. Document 003 knows all but `code`.
import { STATUS_CODES } from "node:http";
import { ProctorError, type ErrorCode } from "../../../core/errors.ts";

/** Throws on what is not a client's doing: the hub answers and logs it, in the same form. */
export function errorResponse(thrown: unknown, headers: Record<string, string> = {}): Response {
  if (!ProctorError.is(thrown) || thrown.status >= 500) throw thrown;
  const { code, details, status } = thrown;
  const body = {
    error: STATUS_CODES[status] ?? "Error",
    code,
    message: taskWords(thrown),
    ...(details !== undefined && { details }),
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      ...HEADERS[code],
      ...headers,
    },
  });
}

/** Clients of these APIs know no runs. */
function taskWords({ code, message }: ProctorError): string {
  const words = code === "RUN_NOT_FOUND" ? message.replace("there is no run", "there is no task") : message;
  return words.replaceAll(/\brun (?=[0-9a-f]{8}-)/g, "task ");
}

const HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  // The rest of the body is not waited for.
  PAYLOAD_TOO_LARGE: { connection: "close" },
};
