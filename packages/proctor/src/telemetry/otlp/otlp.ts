// The part of OTLP's data model that Proctor sends, in its JSON mapping: ids in hex, enums as numbers, 64-bit integers
// as decimal strings, names in camelCase (OTLP specification, "JSON Protobuf Encoding").

/** OTLP's ExportTraceServiceRequest. */
export interface OtlpTraceRequest {
  resourceSpans: OtlpResourceSpans[];
}

export interface OtlpResourceSpans {
  resource: { attributes: OtlpAttribute[] };
  scopeSpans: OtlpScopeSpans[];
}

export interface OtlpScopeSpans {
  scope: { name: string; version: string };
  spans: OtlpSpan[];
}

export interface OtlpSpan {
  /** Id of the trace in 32 hex digits. */
  traceId: string;
  /** Id of the span in 16 hex digits. */
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtlpAttribute[];
  events?: OtlpSpanEvent[];
  droppedEventsCount?: number;
  status: { code: number; message?: string };
}

export interface OtlpSpanEvent {
  timeUnixNano: string;
  name: string;
  attributes: OtlpAttribute[];
}

export interface OtlpAttribute {
  key: string;
  value: OtlpValue;
}

export type OtlpValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: OtlpValue[] } };

export const SPAN_KIND = { INTERNAL: 1, CLIENT: 3, CONSUMER: 5 } as const;
export const SPAN_STATUS = { UNSET: 0, ERROR: 2 } as const;
/** The largest uint32, the type of the counts of what was left out. */
export const MAX_UINT32 = 2 ** 32 - 1;
