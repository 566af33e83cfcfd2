// What is refused, in the form that both task APIs share: `{error, code, message, details?}`. Document 003 knows all but `code`.
import { STATUS_CODES } from "node:http";
import { ProctorError, type ErrorCode } from "../../core/errors.ts";
import { taskWords } from "./surfaces/shared/task-words.ts";

/** `status` where the door has another than the catalogue. Throws on what is not a client's doing: the hub answers and logs it, in the same form. */
export function errorResponse(
  thrown: unknown,
  headers: Record<string, string> = {},
  status?: number,
): Response {
  if (!ProctorError.is(thrown) || thrown.status >= 500) throw thrown;
  const { code: own } = thrown;
  const { code, message, details } = taskWords(thrown);
  const shown = status ?? thrown.status;
  const body = {
    error: STATUS_CODES[shown] ?? "Error",
    code,
    message,
    ...(details !== undefined && { details }),
  };
  return new Response(JSON.stringify(body), {
    status: shown,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
      ...HEADERS[own],
      ...headers,
    },
  });
}

const HEADERS: Partial<Record<ErrorCode, Record<string, string>>> = {
  // The rest of the body is not waited for.
  PAYLOAD_TOO_LARGE: { connection: "close" },
};
