// Ids of the spans of runs and envelopes. They are derived, so that exporting a run twice yields the same spans and not more of them, and so
// that a process which acts for a run names the span that is exported for it.
import { hash } from "node:crypto";
import type { Run } from "../core/run.ts";
import { formatTraceparent, originWithin } from "../core/trace.ts";

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const SPAN_BYTES = 8;

/** Returns the run's own trace id, or one made from its id where the run's is invalid. */
export function traceIdOf(run: Pick<Run, "id" | "trace_id">): string {
  const traceId = run.trace_id.toLowerCase();
  return TRACE_ID.test(traceId) ? traceId : hashed(`${run.id}:trace`, 16);
}

/** Returns the id of the span of the whole run. */
export function rootSpanId(runId: string): string {
  return hashed(`${runId}:run`, SPAN_BYTES);
}

/** Returns the id of the span that the event at this sequence began. */
export function spanIdAt(runId: string, sequence: number): string {
  return hashed(`${runId}:${sequence}`, SPAN_BYTES);
}

/** Returns the id of the span of an envelope whose sender named none. */
export function envelopeSpanId(from: string, id: string): string {
  return hashed(JSON.stringify(["envelope", from, id]), SPAN_BYTES);
}

/** Returns the `traceparent` of what is sent for a run: below the span that its agent names in `received`, or below the run's own. */
export function traceparentOf(run: { runId: string; traceId: string }, received?: string | null): string {
  const { traceId, parentSpanId = rootSpanId(run.runId) } = originWithin(run.traceId, received);
  return formatTraceparent({ traceId, spanId: parentSpanId, sampled: true });
}

/** Hashes the text to an id that is not all zero, which means "no id"; a hash is that once in 2^64. */
function hashed(text: string, sizeBytes: number): string {
  const hex = hash("sha256", text, "hex").slice(0, sizeBytes * 2);
  return /^0+$/.test(hex) ? hex.replace(/0$/, "1") : hex;
}
