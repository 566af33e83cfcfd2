// The details of a status: messages of google.rpc as the wire has them ↔ the JSON that A2A's errors carry in every binding. Types that nobody
// here knows are kept as their bytes.
import type { DescMessage } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { ProtoFormatError, ProtoReader } from "../../../channels/grpc/proto-reader.ts";
import { ProtoWriter } from "../../../channels/grpc/proto-writer.ts";
import { readValue, writeValue } from "../../../channels/grpc/struct.ts";
import type { JsonObject } from "../../../core/json.ts";
import { decodeMessage } from "./decode.ts";
import { encodeMessage } from "./encode.ts";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.ts";

/** One entry of google.rpc.Status.details. */
export interface StatusDetail {
  /** Full name of the message: `google.rpc.ErrorInfo`. */
  type: string;
  value: Uint8Array;
}

const PREFIX = "type.googleapis.com/";
const SCHEMAS: ReadonlyMap<string, DescMessage> = new Map<string, DescMessage>(
  [ErrorInfoSchema, BadRequestSchema, RetryInfoSchema].map((schema) => [schema.typeName, schema]),
);

export function decodeDetail({ type, value }: StatusDetail): JsonObject {
  const typeUrl = { "@type": PREFIX + type };
  try {
    if (type === ValueSchema.typeName) return { ...typeUrl, value: readWholeValue(value) };
    const schema = SCHEMAS.get(type);
    if (schema) return { ...typeUrl, ...decodeMessage(schema, value, { fill: false }) };
  } catch (problem) {
    if (!(problem instanceof ProtoFormatError)) throw problem;
  }
  return { ...typeUrl, value: Buffer.from(value).toString("base64") };
}

/** Returns undefined where the type is unknown. */
export function encodeDetail({ "@type": typeUrl, ...detail }: JsonObject): StatusDetail | undefined {
  if (typeof typeUrl !== "string") return undefined;
  const type = typeUrl.slice(typeUrl.lastIndexOf("/") + 1);
  const schema = SCHEMAS.get(type);
  try {
    if (schema) return { type, value: encodeMessage(schema, detail) };
    const { value } = detail;
    const writer = new ProtoWriter();
    if (type === ValueSchema.typeName) {
      writeValue(writer, value ?? null);
      return { type, value: writer.finish() };
    }
    return typeof value === "string" ? { type, value: Buffer.from(value, "base64") } : undefined;
  } catch (problem) {
    if (problem instanceof ProtoFormatError) return undefined;
    throw problem;
  }
}

function readWholeValue(bytes: Uint8Array): ReturnType<typeof readValue> {
  const reader = new ProtoReader(bytes);
  return readValue(reader, reader.end);
}
