// The headers of requests that create a run.
import { randomBytes } from "node:crypto";
import type { SubmitOptions } from "../core/ports/hub.ts";

export function submitHeaders({ idempotencyKey, traceId }: SubmitOptions): Record<string, string> {
  return {
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    ...(traceId !== undefined && { traceparent: `00-${traceId}-${randomBytes(8).toString("hex")}-01` }),
  };
}
