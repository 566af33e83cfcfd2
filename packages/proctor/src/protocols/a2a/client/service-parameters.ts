// What goes beside a request's parameters: A2A 1.0, section 3.2.6. Version 0.3 has no header for itself, and another name for that of
// extensions.
import { formatTraceparent, newSpanId, originWithin } from "../../../core/trace.ts";
import type { A2aCall, A2aVersion } from "../service.ts";

export function serviceParameters(
  version: A2aVersion,
  call: Pick<A2aCall, "extensions" | "traceId" | "spanId" | "lastEventId"> &
    Partial<Pick<A2aCall, "headers">>,
): Record<string, string> {
  const { extensions, traceId, lastEventId } = call;
  // A caller that passes a call on has no span of its own, and names its client's.
  const passed = originWithin(traceId, call.headers?.["traceparent"]).parentSpanId;
  const uris = extensions.join(", ");
  return {
    ...(version === "1.0" && { "a2a-version": version }),
    ...(uris !== "" && { [version === "1.0" ? "a2a-extensions" : "x-a2a-extensions"]: uris }),
    ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
    traceparent: formatTraceparent({ traceId, spanId: call.spanId ?? passed ?? newSpanId(), sampled: true }),
  };
}
