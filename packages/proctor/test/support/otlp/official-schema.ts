// OTLP's official protobuf schema as a judge: what it does not know is lost on the way through, and shows.
import { createRequire } from "node:module";

interface MessageType {
  fromObject(object: unknown): unknown;
  encode(message: unknown): { finish(): Uint8Array };
  decode(bytes: Uint8Array): unknown;
  toObject(message: unknown, options: { longs: StringConstructor; bytes: StringConstructor }): unknown;
}

interface Root {
  opentelemetry: {
    proto: {
      collector: {
        trace: { v1: { ExportTraceServiceRequest: MessageType; ExportTraceServiceResponse: MessageType } };
      };
      trace: {
        v1: {
          Span: { SpanKind: Record<string, number> };
          Status: { StatusCode: Record<string, number> };
        };
      };
    };
  };
}

// The package has no types for its generated code; this is the shape that protobufjs generates.
const { proto } = (
  createRequire(import.meta.url)("@opentelemetry/otlp-transformer/build/src/generated/root.js") as Root
).opentelemetry;

export const OFFICIAL_SPAN_KINDS = proto.trace.v1.Span.SpanKind;
export const OFFICIAL_STATUS_CODES = proto.trace.v1.Status.StatusCode;

/** OTLP JSON to protobuf bytes and back. Equal to its input when that holds nothing but what the schema has. */
export function throughOfficialSchema(request: unknown): unknown {
  const { ExportTraceServiceRequest: type } = proto.collector.trace.v1;
  // What is sent is JSON, so that is what is judged.
  const standard = mapIds(JSON.parse(JSON.stringify(request)), "hex", "base64");
  const bytes = type.encode(type.fromObject(standard)).finish();
  return mapIds(type.toObject(type.decode(bytes), { longs: String, bytes: String }), "base64", "hex");
}

/** OTLP writes ids in hex where standard protobuf JSON writes base64. */
function mapIds(value: unknown, from: BufferEncoding, to: BufferEncoding): unknown {
  if (Array.isArray(value)) return value.map((item) => mapIds(item, from, to));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => {
      const isId = /^(?:traceId|spanId|parentSpanId)$/.test(key) && typeof item === "string";
      return [key, isId ? Buffer.from(item, from).toString(to) : mapIds(item, from, to)];
    }),
  );
}
