// The protobuf bytes of an ATP message → JSON as the document has it. Whatever is wrong with the bytes is a
// ProtoFormatError; whether the message is a good one is for others to say.
import type { DescMessage } from "@bufbuild/protobuf";
import { ProtoReader } from "../../../channels/grpc/proto-reader.ts";
import { tagOf, WIRE } from "../../../channels/grpc/proto-writer.ts";
import { finite, readStruct, setOwn } from "../../../channels/grpc/struct.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { shapeOf, type Field, type Shape } from "./shape.ts";

export function decodeMessage(schema: DescMessage, bytes: Uint8Array): JsonObject {
  const reader = new ProtoReader(bytes);
  return readMessage(reader, reader.end, shapeOf(schema));
}

const WIRE_TYPES: Record<Field["kind"], number> = {
  string: WIRE.lengthDelimited,
  integer: WIRE.varint,
  number: WIRE.bit64,
  struct: WIRE.lengthDelimited,
  message: WIRE.lengthDelimited,
  messages: WIRE.lengthDelimited,
  names: WIRE.lengthDelimited,
  variables: WIRE.lengthDelimited,
};

function readMessage(reader: ProtoReader, end: number, shape: Shape): JsonObject {
  const json: JsonObject = {};
  const extensions: JsonObject = {};
  for (const name of shape.lists) json[name] = [];
  while (reader.position < end) {
    const tag = reader.tag(end);
    const number = Math.floor(tag / 8);
    const field = shape.byNumber.get(number);
    if (field !== undefined && (tag & 7) === WIRE_TYPES[field.kind]) {
      // The last of the two that can hold a file's content counts.
      if (shape.contentBytes !== 0 && field.name === "content") delete json["content_encoding"];
      json[field.name] = readField(reader, end, field, json[field.name]);
    } else if (tag === tagOf(shape.extensions, WIRE.lengthDelimited)) {
      readStruct(reader, reader.enter(end), extensions);
    } else if (tag === tagOf(shape.contentBytes, WIRE.lengthDelimited)) {
      json["content"] = reader.bytes(end).toString("base64");
      json["content_encoding"] = "base64";
    } else reader.skip(tag, end);
  }
  for (const name of Object.keys(extensions)) setOwn(json, name, extensions[name] ?? null);
  return json;
}

/** `before` is what the message already holds under this name: lists and maps come in pieces. */
function readField(reader: ProtoReader, end: number, field: Field, before: Json | undefined): Json {
  switch (field.kind) {
    case "string":
      return reader.string(end);
    case "integer":
      return reader.integer(end);
    case "number":
      return finite(reader.double(end));
    case "struct":
      return readStruct(reader, reader.enter(end), isJsonObject(before) ? before : {});
    case "message":
      return readMessage(reader, reader.enter(end), field.shape);
    case "messages": {
      const list = Array.isArray(before) ? before : [];
      list.push(readMessage(reader, reader.enter(end), field.shape));
      return list;
    }
    case "names":
      return readNames(reader, reader.enter(end));
    case "variables": {
      const variables = isJsonObject(before) ? before : {};
      readVariable(reader, reader.enter(end), variables);
      return variables;
    }
  }
}

function readNames(reader: ProtoReader, end: number): string[] {
  const names: string[] = [];
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === tagOf(1, WIRE.lengthDelimited)) names.push(reader.string(end));
    else reader.skip(tag, end);
  }
  return names;
}

function readVariable(reader: ProtoReader, end: number, variables: JsonObject): void {
  let name = "";
  let value = "";
  while (reader.position < end) {
    const tag = reader.tag(end);
    if (tag === tagOf(1, WIRE.lengthDelimited)) name = reader.string(end);
    else if (tag === tagOf(2, WIRE.lengthDelimited)) value = reader.string(end);
    else reader.skip(tag, end);
  }
  setOwn(variables, name, value);
}
