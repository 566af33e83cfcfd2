// W3C Trace Context: the ids that tie a run to the trace of its client, and the header that carries them.
import { randomHex } from "./random.ts";

interface TraceParent {
  /** Id of the trace: 32 hex digits. */
  traceId: string;
  /** Id of the span: 16 hex digits. */
  spanId: string;
  sampled: boolean;
}

export function newTraceId(): string {
  return newId(16);
}

export function newSpanId(): string {
  return newId(8);
}

/** W3C Trace Context, 2.2.2: version, trace id, parent id, flags; a later version may add fields behind them. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ALL_ZERO = /^0+$/;
const SAMPLED = 0x01;

/** Returns undefined when the header is absent or invalid: the receiver then starts a trace of its own (section 4.3). */
export function parseTraceparent(header: string | undefined): TraceParent | undefined {
  const [, version = "ff", traceId = "", spanId = "", flags = "", extra] =
    TRACEPARENT.exec(header ?? "") ?? [];
  if (version === "ff" || (version === "00" && extra !== undefined)) return undefined;
  if (ALL_ZERO.test(traceId) || ALL_ZERO.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

export function formatTraceparent({ traceId, spanId, sampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
}

/** The trace that the work of a request belongs to. */
export interface TraceOrigin {
  /** Id of the trace: 32 hex digits. */
  traceId: string;
  /** Id of the span that asks, 16 hex digits; absent where the request names none. */
  parentSpanId?: string;
}

/** Returns the origin that a `traceparent` names; a new trace where there is none. */
export function originOf(header: string | null | undefined): TraceOrigin {
  const { traceId = newTraceId(), spanId } = parseTraceparent(header ?? undefined) ?? {};
  return { traceId, ...(spanId !== undefined && { parentSpanId: spanId }) };
}

/** Returns the origin of a request whose trace is known already: its `traceparent` names the span, if it is one of that trace. */
export function originWithin(traceId: string, header: string | null | undefined): TraceOrigin {
  const parent = parseTraceparent(header ?? undefined);
  return { traceId, ...(parent?.traceId === traceId && { parentSpanId: parent.spanId }) };
}

/** Draws again while all digits are zero, which means "no id". */
function newId(sizeBytes: number): string {
  const id = randomHex(sizeBytes);
  return ALL_ZERO.test(id) ? newId(sizeBytes) : id;
}
