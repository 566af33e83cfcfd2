// What the log says about a request. Never a header, a body or a query: they may hold secrets.
import { isUuid } from "../core/id.ts";
import type { Call } from "./call.ts";

const MAX_PATH_LENGTH = 300;

interface RequestEntry {
  time: string;
  level: "info" | "error";
  method: string;
  path: string;
  status: number;
  duration_ms: number;
  trace_id: string;
  run_id?: string;
  /** The code of the error that was answered. */
  code?: string;
  /** The error that was thrown, with its stack, when the failure is the hub's own. */
  error?: string;
}

export function requestEntry(call: Call, status: number, elapsedMs: number): RequestEntry {
  const { runId, failure, path, request } = call;
  const entry: RequestEntry = {
    time: isoNow(),
    level: status < 500 ? "info" : "error",
    method: request.method,
    path: path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path,
    status,
    duration_ms: Math.round(elapsedMs * 1000) / 1000,
    trace_id: call.traceId,
  };
  if (runId !== undefined && isUuid(runId)) entry.run_id = runId;
  if (failure !== undefined) {
    entry.code = failure.code;
    if (failure.cause !== undefined) entry.error = describe(failure.cause);
  }
  return entry;
}

/** The entry for a body that failed after its status was sent. */
export function failureEntry(call: Call, cause: unknown): object {
  const { runId, path, traceId } = call;
  return {
    time: isoNow(),
    level: "error",
    message: "a response was cut off",
    path,
    trace_id: traceId,
    ...(runId !== undefined && isUuid(runId) && { run_id: runId }),
    error: describe(cause),
  };
}

let secondStart = Number.NaN;
/** The text of the second that begins at `secondStart`, up to its decimal point. */
let secondText = "";

/** Returns the current time in ISO form. Many requests fall into one second, and writing a date is not free. */
function isoNow(): string {
  const now = Date.now();
  const ms = now % 1000;
  if (now - ms !== secondStart) {
    secondStart = now - ms;
    secondText = new Date(secondStart).toISOString().slice(0, -"000Z".length);
  }
  return `${secondText}${String(ms).padStart(3, "0")}Z`;
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
