// The trace a request belongs to: its caller's, or a new one.
import { randomUUID } from "node:crypto";
import { parseTraceparent } from "../core/trace.ts";

export function traceIdOf(request: Request): string {
  const header = request.headers.get("traceparent");
  const given = header === null ? undefined : parseTraceparent(header)?.traceId;
  // Node keeps random bytes for UUIDs at hand: a tenth of the cost of asking the system for each id.
  return given ?? randomUUID().replaceAll("-", "");
}
