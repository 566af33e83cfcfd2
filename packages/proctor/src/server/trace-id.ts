// The trace a request belongs to: its caller's, or a new one.
import { randomFillSync } from "node:crypto";
import { parseTraceparent } from "../core/trace.ts";

const ID_BYTES = 16;
/** Random bytes for the next ids: asking the system for each id costs ten times as much. */
const pool = Buffer.alloc(256 * ID_BYTES);
let used = pool.length;

export function traceIdOf(request: Request): string {
  const header = request.headers.get("traceparent");
  const given = header === null ? undefined : parseTraceparent(header)?.traceId;
  return given ?? newTraceId();
}

function newTraceId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool.toString("hex", used, (used += ID_BYTES));
}
