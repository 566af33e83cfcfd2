// The headers of requests that create a run.
import type { SubmitOptions } from "../core/ports/hub.ts";
import { formatTraceparent, newSpanId } from "../core/trace.ts";

export function submitHeaders({
  idempotencyKey,
  traceId,
  parentSpanId = newSpanId(),
}: SubmitOptions): Record<string, string> {
  return {
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    ...(traceId !== undefined && {
      traceparent: formatTraceparent({ traceId, spanId: parentSpanId, sampled: true }),
    }),
  };
}
