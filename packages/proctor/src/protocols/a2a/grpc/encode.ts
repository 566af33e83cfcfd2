// ProtoJSON → protobuf bytes, by a message's descriptor. What the .proto has no field for, or what does not fit its field, is left out and
// noted. Throws ProtoFormatError for what is nested too deep.
import type { DescMessage } from "@bufbuild/protobuf";
import { ProtoWriter } from "../../../channels/grpc/proto-writer.ts";
import { writeStruct, writeValue } from "../../../channels/grpc/struct.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { Loss } from "../codec.ts";
import { createTranslation, type Translation } from "../translating.ts";
import { shapeOf, type Field, type Shape } from "./shape.ts";
import { parseDuration, parseTimestamp, type Instant } from "./well-known.ts";

/** `root` is what the paths of losses begin with. */
export function encodeMessage(
  schema: DescMessage,
  json: JsonObject,
  losses?: Loss[],
  root: string = "",
): Uint8Array {
  const writer = new ProtoWriter();
  const notes = createTranslation(losses, root);
  writeMessage(writer, shapeOf(schema), json, notes);
  if (!writer.isExact) notes.lose("holds half a character, which was replaced");
  return writer.finish();
}

function writeMessage(writer: ProtoWriter, shape: Shape, json: JsonObject, notes: Translation): void {
  const written = new Set<string>();
  for (const name of Object.keys(json)) {
    const value = json[name];
    const field = shape.byName.get(name);
    if (value === undefined) continue;
    if (field === undefined) notes.lose("has no place in protobuf, and is left out", name);
    else if (value === null && field.kind !== "value") continue;
    else if (field.rivals.some((rival) => written.has(rival)))
      notes.lose("stands beside another content, and protobuf holds one; it is left out", name);
    else {
      notes.enter(name);
      if (writeField(writer, field, value, notes)) written.add(name);
      notes.leave();
    }
  }
}

/** Returns false, and writes nothing, when the value does not fit. */
function writeField(writer: ProtoWriter, field: Field, value: Json, notes: Translation): boolean {
  switch (field.form) {
    case "one":
      return writeOne(writer, field, value, notes);
    case "list":
      if (!Array.isArray(value)) return misfit(field, value, notes);
      writeList(writer, { ...field, hasPresence: true }, value, notes);
      return true;
    case "map":
      if (!isJsonObject(value)) return misfit(field, value, notes);
      writeMap(writer, field, value, notes);
      return true;
  }
}

function writeList(writer: ProtoWriter, field: Field, list: readonly Json[], notes: Translation): void {
  for (const [index, entry] of list.entries()) {
    notes.enter(index);
    writeOne(writer, field, entry, notes);
    notes.leave();
  }
}

const ENTRY = { key: 1, value: 2 } as const;

function writeMap(writer: ProtoWriter, field: Field, map: JsonObject, notes: Translation): void {
  const valueField = { ...field, number: ENTRY.value };
  for (const [key, value] of Object.entries(map)) {
    notes.enter(key);
    const start = writer.open(field.number);
    writer.string(ENTRY.key, key);
    writeOne(writer, valueField, value ?? null, notes);
    writer.close(start);
    notes.leave();
  }
}

function writeOne(writer: ProtoWriter, field: Field, value: Json, notes: Translation): boolean {
  return writeFitting(writer, field, value, notes) || misfit(field, value, notes);
}

function misfit(field: Field, value: Json, notes: Translation): false {
  const what = Array.isArray(value) ? "a list" : value === null ? "null" : `a value of type ${typeof value}`;
  notes.lose(`is ${what} that does not fit its field in protobuf (${field.kind}), and is left out`);
  return false;
}

/** Returns false, and writes nothing, when the value does not fit. */
function writeFitting(writer: ProtoWriter, field: Field, value: Json, notes: Translation): boolean {
  const { number, hasPresence } = field;
  switch (field.kind) {
    case "string":
      if (typeof value !== "string") return false;
      if (hasPresence || value !== "") writer.string(number, value);
      return true;
    case "bytes":
      if (typeof value !== "string") return false;
      return (value === "" && !hasPresence) || writer.base64(number, value);
    case "boolean":
      if (typeof value !== "boolean") return false;
      if (hasPresence || value) writer.integer(number, value ? 1 : 0);
      return true;
    case "integer":
      return writeInteger(writer, field, value);
    case "enum":
      return writeInteger(writer, field, numberOf(field, value));
    case "timestamp":
      return writeInstant(writer, number, parseTimestamp(value));
    case "duration":
      return writeInstant(writer, number, parseDuration(value));
    case "value":
      embed(writer, number, () => writeValue(writer, value));
      return true;
    case "struct":
      if (!isJsonObject(value)) return false;
      embed(writer, number, () => writeStruct(writer, value));
      return true;
    case "message":
      if (!isJsonObject(value)) return false;
      embed(writer, number, () => writeMessage(writer, field.shape, value, notes));
      return true;
  }
}

/** Writes whole numbers of 32 bits; ProtoJSON also has them as text. */
function writeInteger(writer: ProtoWriter, { number, hasPresence }: Field, value: Json | undefined): boolean {
  const integer = typeof value === "string" && /^-?\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof integer !== "number" || !Number.isInteger(integer) || (integer | 0) !== integer) return false;
  if (hasPresence || integer !== 0) writer.integer(number, integer);
  return true;
}

/** Returns a number without a name unchanged: it came from a later version. */
function numberOf(field: Field & { kind: "enum" }, value: Json): Json | undefined {
  return typeof value === "string" ? (field.numbers.get(value) ?? value) : value;
}

/** Timestamp and Duration have the same fields. */
const INSTANT = { seconds: 1, nanos: 2 } as const;

function writeInstant(writer: ProtoWriter, number: number, instant: Instant | undefined): boolean {
  if (!instant) return false;
  embed(writer, number, () => {
    if (instant.seconds !== 0) writer.integer(INSTANT.seconds, instant.seconds);
    if (instant.nanos !== 0) writer.integer(INSTANT.nanos, instant.nanos);
  });
  return true;
}

function embed(writer: ProtoWriter, number: number, write: () => void): void {
  const start = writer.open(number);
  write();
  writer.close(start);
}
