// Protobuf bytes → ProtoJSON, by a message's descriptor. Fields that the .proto does not have are skipped: they have numbers and no names.
// Throws ProtoFormatError for bytes that are no message; whether the message is a good one is for others to say.
import type { DescMessage } from "@bufbuild/protobuf";
import { ProtoFormatError, ProtoReader } from "../../../channels/grpc/proto-reader.ts";
import { tagOf, WIRE } from "../../../channels/grpc/proto-writer.ts";
import { readStruct, readValue, setOwn } from "../../../channels/grpc/struct.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { shapeOf, type Field, type Shape } from "./shape.ts";
import { formatDuration, formatTimestamp } from "./well-known.ts";

interface DecodeOptions {
  /**
   * Whether a required field that was not sent has its default: an empty text or list cannot be sent. True for what agents answer; a
   * request without it is refused by whoever reads it.
   */
  fill: boolean;
}

export function decodeMessage(schema: DescMessage, bytes: Uint8Array, { fill }: DecodeOptions): JsonObject {
  const reader = new ProtoReader(bytes);
  return readMessage(reader, reader.end, shapeOf(schema), fill, {});
}

const WIRE_TYPES: Readonly<Record<Field["kind"], number>> = {
  string: WIRE.lengthDelimited,
  bytes: WIRE.lengthDelimited,
  integer: WIRE.varint,
  boolean: WIRE.varint,
  enum: WIRE.varint,
  timestamp: WIRE.lengthDelimited,
  duration: WIRE.lengthDelimited,
  struct: WIRE.lengthDelimited,
  value: WIRE.lengthDelimited,
  message: WIRE.lengthDelimited,
};

/** `target` holds the earlier pieces of the same message, to which this one is added. */
function readMessage(
  reader: ProtoReader,
  end: number,
  shape: Shape,
  fill: boolean,
  target: JsonObject,
): JsonObject {
  while (reader.position < end) {
    const tag = reader.tag(end);
    const field = shape.byNumber.get(Math.floor(tag / 8));
    if (field === undefined || (tag & 7) !== wireTypeOf(field)) reader.skip(tag, end);
    else {
      // The last of several contents counts.
      for (const rival of field.rivals) delete target[rival];
      const value = readField(reader, end, field, fill, target[field.name]);
      if (value === undefined) delete target[field.name];
      else target[field.name] = value;
    }
  }
  if (fill) for (const field of shape.required) target[field.name] ??= defaultOf(field);
  return target;
}

function wireTypeOf(field: Field): number {
  return field.form === "map" ? WIRE.lengthDelimited : WIRE_TYPES[field.kind];
}

function readField(
  reader: ProtoReader,
  end: number,
  field: Field,
  fill: boolean,
  before: Json | undefined,
): Json | undefined {
  if (field.form === "list") {
    const list = Array.isArray(before) ? before : [];
    list.push(readOne(reader, end, field, fill, undefined) ?? null);
    return list;
  }
  if (field.form === "map") {
    const map = isJsonObject(before) ? before : {};
    readEntry(reader, reader.enter(end), field, fill, map);
    return map;
  }
  const value = readOne(reader, end, field, fill, before);
  // A default value says nothing, unless its presence does.
  return field.hasPresence || !isDefault(field, value) ? value : undefined;
}

function readOne(
  reader: ProtoReader,
  end: number,
  field: Field,
  fill: boolean,
  before: Json | undefined,
): Json {
  switch (field.kind) {
    case "string":
      return reader.string(end);
    case "bytes":
      return reader.bytes(end).toString("base64");
    case "boolean":
      return reader.integer(end) !== 0;
    case "integer":
      return integer32(reader, end);
    case "enum": {
      const number = integer32(reader, end);
      return field.names.get(number) ?? String(number);
    }
    case "timestamp":
      return formatTimestamp(readInstant(reader, reader.enter(end))) ?? outOfRange("Timestamp");
    case "duration":
      return formatDuration(readInstant(reader, reader.enter(end))) ?? outOfRange("Duration");
    case "value":
      return readValue(reader, reader.enter(end));
    case "struct":
      return readStruct(reader, reader.enter(end), isJsonObject(before) ? before : {});
    case "message":
      return readMessage(reader, reader.enter(end), field.shape, fill, isJsonObject(before) ? before : {});
  }
}

function readEntry(reader: ProtoReader, end: number, field: Field, fill: boolean, map: JsonObject): void {
  let key = "";
  let value: Json | undefined;
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === tagOf(1, WIRE.lengthDelimited)) key = reader.string(end);
    else if (tag === tagOf(2, WIRE_TYPES[field.kind])) value = readOne(reader, end, field, fill, value);
    else reader.skip(tag, end);
  }
  setOwn(map, key, value ?? (field.kind === "message" ? {} : ""));
}

function readInstant(reader: ProtoReader, end: number): { seconds: number; nanos: number } {
  let seconds = 0;
  let nanos = 0;
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === tagOf(1, WIRE.varint)) seconds = Number(reader.integer(end));
    else if (tag === tagOf(2, WIRE.varint)) nanos = integer32(reader, end);
    else reader.skip(tag, end);
  }
  return { seconds, nanos };
}

/** Longer numbers are cut to 32 bits, as protobuf has it. */
function integer32(reader: ProtoReader, end: number): number {
  const value = reader.integer(end);
  return Number(BigInt.asIntN(32, BigInt(value)));
}

function isDefault(field: Field, value: Json): boolean {
  return (
    value === "" || value === false || value === 0 || (field.kind === "enum" && value === field.names.get(0))
  );
}

function defaultOf(field: Field): Json {
  if (field.form !== "one") return field.form === "list" ? [] : {};
  switch (field.kind) {
    case "integer":
      return 0;
    case "enum":
      return field.names.get(0) ?? "0";
    default:
      return "";
  }
}

function outOfRange(type: string): never {
  throw new ProtoFormatError(`a ${type} is out of range`);
}
