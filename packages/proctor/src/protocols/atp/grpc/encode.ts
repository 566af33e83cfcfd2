// An ATP message as JSON → its protobuf bytes. Loses nothing: what has no field of its own, or does not fit it, goes into
// `extensions` (the rules are in agent.proto).
import { Buffer } from "node:buffer";
import type { DescMessage } from "@bufbuild/protobuf";
import { ProtoWriter } from "../../../channels/grpc/proto-writer.ts";
import { writeEntry, writeStruct } from "../../../channels/grpc/struct.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { shapeOf, type Field, type Shape } from "./shape.ts";

export function encodeMessage(schema: DescMessage, json: JsonObject): Uint8Array {
  const writer = new ProtoWriter();
  writeMessage(writer, shapeOf(schema), json);
  return writer.finish();
}

function writeMessage(writer: ProtoWriter, shape: Shape, json: JsonObject): void {
  const bytes = shape.contentBytes === 0 ? undefined : contentBytes(json);
  if (bytes) writer.bytes(shape.contentBytes, bytes);
  let others: string[] | undefined;
  for (const name of Object.keys(json)) {
    const value = json[name];
    if (value === undefined || (bytes && (name === "content" || name === "content_encoding"))) continue;
    const field = shape.byName.get(name);
    if (field === undefined || !writeField(writer, field, value)) {
      // An empty list that the document requires is what its absence means here.
      if (!(shape.lists.includes(name) && isEmptyList(value))) (others ??= []).push(name);
    }
  }
  if (others === undefined) return;
  const start = writer.open(shape.extensions);
  for (const name of others) writeEntry(writer, name, json[name] ?? null);
  writer.close(start);
}

/** Returns false, and writes nothing, when the value does not fit. */
function writeField(writer: ProtoWriter, field: Field, value: Json): boolean {
  switch (field.kind) {
    case "string":
      if (typeof value !== "string") return false;
      writer.string(field.number, value);
      return true;
    case "integer":
      if (!Number.isSafeInteger(value)) return false;
      writer.integer(field.number, Number(value));
      return true;
    case "number":
      if (typeof value !== "number") return false;
      writer.double(field.number, value);
      return true;
    case "struct":
      if (!isJsonObject(value)) return false;
      embed(writer, field, () => writeStruct(writer, value));
      return true;
    case "message":
      if (!isJsonObject(value)) return false;
      embed(writer, field, () => writeMessage(writer, field.shape, value));
      return true;
    case "messages":
      if (!Array.isArray(value) || value.length === 0 || !value.every(isJsonObject)) return false;
      for (const item of value) embed(writer, field, () => writeMessage(writer, field.shape, item));
      return true;
    case "names":
      if (!Array.isArray(value) || !value.every(isText)) return false;
      embed(writer, field, () => {
        for (const name of value) writer.string(1, name);
      });
      return true;
    case "variables":
      return writeVariables(writer, field, value);
  }
}

function writeVariables(writer: ProtoWriter, field: Field, value: Json): boolean {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  if (entries.length === 0 || !entries.every(([, text]) => typeof text === "string")) return false;
  for (const [name, text] of entries) {
    embed(writer, field, () => {
      writer.string(1, name);
      // Checked above.
      writer.string(2, text as string);
    });
  }
  return true;
}

function embed(writer: ProtoWriter, field: Field, write: () => void): void {
  const start = writer.open(field.number);
  write();
  writer.close(start);
}

/** Returns the bytes behind `content`, when it says that it is base64 and would come back as it is. */
function contentBytes({ content, content_encoding: encoding }: JsonObject): Uint8Array | undefined {
  if (encoding !== "base64" || typeof content !== "string") return undefined;
  const bytes = Buffer.from(content, "base64");
  return bytes.toString("base64") === content ? bytes : undefined;
}

const isText = (value: Json): value is string => typeof value === "string";
const isEmptyList = (value: Json): boolean => Array.isArray(value) && value.length === 0;
