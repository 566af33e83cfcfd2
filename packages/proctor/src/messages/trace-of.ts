// The trace of an envelope, always filled and always W3C: ids of other forms are hashed, and the original is kept with them.
import { createHash } from "node:crypto";
import type { Envelope, TraceContext } from "../core/envelope.ts";
import { newSpanId, newTraceId } from "../core/trace.ts";
import { envelopeSpanId } from "../runtime/span-ids.ts";

const TRACE_CHARS = 32;
const SPAN_CHARS = 16;
const HEX = /^[0-9a-f]+$/;
const ALL_ZERO = /^0+$/;

/** Returns the trace; any of its ids may be absent. A span that the sender does not name is exported by the hub, and is known by its id. */
export function traceOf(
  given: Partial<TraceContext> = {},
  { from, id }: Pick<Envelope, "from" | "id">,
): TraceContext {
  const { traceId: original, spanId, parentId, ...rest } = given;
  const traceId = original ? hexId(original, TRACE_CHARS) : newTraceId();
  const isChanged = original !== undefined && original !== "" && traceId !== original;
  return {
    traceId,
    spanId: spanId ? hexId(spanId, SPAN_CHARS) : envelopeSpanId(from, id),
    ...rest,
    ...(parentId && { parentId: hexId(parentId, SPAN_CHARS) }),
    ...(isChanged && rest["originalTraceId"] === undefined && { originalTraceId: original }),
  };
}

/** Returns the trace of an envelope that is derived from another. */
export function childTrace({ traceId, spanId, originalTraceId }: TraceContext): TraceContext {
  return {
    traceId,
    spanId: newSpanId(),
    parentId: spanId,
    ...(originalTraceId !== undefined && { originalTraceId }),
  };
}

function hexId(id: string, chars: number): string {
  const lower = id.toLowerCase();
  if (lower.length === chars && HEX.test(lower) && !ALL_ZERO.test(lower)) return lower;
  // UUIDs are such ids with dashes.
  const bare = lower.replaceAll("-", "");
  if (bare.length === chars && HEX.test(bare) && !ALL_ZERO.test(bare)) return bare;
  return createHash("sha256").update(id).digest("hex").slice(0, chars);
}
