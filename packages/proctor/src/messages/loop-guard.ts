// Stops envelopes that go round in circles: too many derived from one another, or too many in one trace within a minute.
import { ProctorError } from "../core/errors.ts";
import { createOldestKey } from "../core/oldest-key.ts";
import { MAX_HOPS } from "../runtime/schemas/envelope.ts";

const MAX_PER_TRACE = 1000;
const WINDOW_MS = 60_000;
/** Traces that are counted at the same time; the one that began first is forgotten for another. */
const MAX_TRACES = 20_000;

/** Counts an envelope. Throws LOOP_DETECTED. */
export type LoopGuard = (traceId: string, hops: number, nowMs: number) => void;

export function createLoopGuard(): LoopGuard {
  const traces = new Map<string, { since: number; count: number }>();
  const oldest = createOldestKey(traces);
  return (traceId, hops, nowMs) => {
    if (hops > MAX_HOPS)
      throw loop(`it is derived from ${hops} others, and ${MAX_HOPS} are allowed`, traceId);
    const known = traces.get(traceId);
    if (known === undefined || nowMs - known.since >= WINDOW_MS) {
      traces.delete(traceId);
      if (traces.size >= MAX_TRACES) traces.delete(oldest() ?? "");
      traces.set(traceId, { since: nowMs, count: 1 });
      return;
    }
    known.count += 1;
    if (known.count > MAX_PER_TRACE)
      throw loop(`its trace had more than ${MAX_PER_TRACE} envelopes within a minute`, traceId);
  };
}

function loop(why: string, traceId: string): ProctorError {
  return new ProctorError(
    "LOOP_DETECTED",
    `the envelope is not sent: ${why}\nstart a new trace for new work`,
    {
      details: { trace_id: traceId },
    },
  );
}
