// JSON ↔ google.protobuf.Struct, Value and ListValue, without an object in between for every value.
import type { Json, JsonObject } from "../../core/json.ts";
import { ProtoFormatError, type ProtoReader } from "./proto-reader.ts";
import { tagOf, WIRE, type ProtoWriter } from "./proto-writer.ts";

/** Most levels of nesting: a little more than the hub accepts in one document, for what messages wrap around it. */
const MAX_DEPTH = 256;

// Field numbers of google/protobuf/struct.proto.
const STRUCT = { fields: 1 } as const;
const ENTRY = { key: 1, value: 2 } as const;
const VALUE = { nullValue: 1, number: 2, string: 3, bool: 4, struct: 5, list: 6 } as const;
const LIST = { values: 1 } as const;

const TAGS = {
  fields: tagOf(STRUCT.fields, WIRE.lengthDelimited),
  key: tagOf(ENTRY.key, WIRE.lengthDelimited),
  value: tagOf(ENTRY.value, WIRE.lengthDelimited),
  nullValue: tagOf(VALUE.nullValue, WIRE.varint),
  number: tagOf(VALUE.number, WIRE.bit64),
  string: tagOf(VALUE.string, WIRE.lengthDelimited),
  bool: tagOf(VALUE.bool, WIRE.varint),
  struct: tagOf(VALUE.struct, WIRE.lengthDelimited),
  list: tagOf(VALUE.list, WIRE.lengthDelimited),
  values: tagOf(LIST.values, WIRE.lengthDelimited),
} as const;

/** Writes the content of a Struct; the caller opens and closes the field it is in. */
export function writeStruct(writer: ProtoWriter, object: JsonObject, depth = 0): void {
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value !== undefined) writeEntry(writer, key, value, depth);
  }
}

/** Writes one more entry of a Struct. */
export function writeEntry(writer: ProtoWriter, key: string, value: Json, depth = 0): void {
  const entry = writer.open(STRUCT.fields);
  writer.string(ENTRY.key, key);
  const start = writer.open(ENTRY.value);
  writeValue(writer, value, depth);
  writer.close(start);
  writer.close(entry);
}

/** Writes the content of a Value; the caller opens and closes the field it is in. */
export function writeValue(writer: ProtoWriter, value: Json, depth = 0): void {
  if (depth > MAX_DEPTH) throw new ProtoFormatError(`nested deeper than ${MAX_DEPTH}`);
  switch (typeof value) {
    case "string":
      writer.string(VALUE.string, value);
      return;
    case "number":
      writer.double(VALUE.number, value);
      return;
    case "boolean":
      writer.integer(VALUE.bool, value ? 1 : 0);
      return;
    default:
      break;
  }
  if (value === null) {
    writer.integer(VALUE.nullValue, 0);
  } else if (Array.isArray(value)) {
    const start = writer.open(VALUE.list);
    for (const item of value) {
      const element = writer.open(LIST.values);
      writeValue(writer, item, depth + 1);
      writer.close(element);
    }
    writer.close(start);
  } else {
    const start = writer.open(VALUE.struct);
    writeStruct(writer, value, depth + 1);
    writer.close(start);
  }
}

/** Reads the entries up to `end` into `target`. */
export function readStruct(reader: ProtoReader, end: number, target: JsonObject = {}, depth = 0): JsonObject {
  while (reader.position < end) {
    const next = reader.tag(end);
    if (next === TAGS.fields) readEntry(reader, reader.enter(end), target, depth);
    else reader.skip(next, end);
  }
  return target;
}

function readEntry(reader: ProtoReader, end: number, target: JsonObject, depth: number): void {
  let key = "";
  let value: Json = null;
  while (reader.position < end) {
    const next = reader.tag(end);
    if (next === TAGS.key) key = reader.string(end);
    else if (next === TAGS.value) value = readValue(reader, reader.enter(end), depth);
    else reader.skip(next, end);
  }
  setOwn(target, key, value);
}

/** Reads a Value up to `end`. One without any kind is taken for null. */
export function readValue(reader: ProtoReader, end: number, depth = 0): Json {
  if (depth > MAX_DEPTH) throw new ProtoFormatError(`nested deeper than ${MAX_DEPTH}`);
  let value: Json = null;
  while (reader.position < end) {
    const next = reader.tag(end);
    switch (next) {
      case TAGS.nullValue:
        reader.integer(end);
        value = null;
        break;
      case TAGS.number:
        value = finite(reader.double(end));
        break;
      case TAGS.string:
        value = reader.string(end);
        break;
      case TAGS.bool:
        value = reader.integer(end) !== 0;
        break;
      case TAGS.struct:
        value = readStruct(reader, reader.enter(end), {}, depth + 1);
        break;
      case TAGS.list:
        value = readList(reader, reader.enter(end), depth);
        break;
      default:
        reader.skip(next, end);
    }
  }
  return value;
}

function readList(reader: ProtoReader, end: number, depth: number): Json[] {
  const list: Json[] = [];
  while (reader.position < end) {
    const next = reader.tag(end);
    if (next === TAGS.values) list.push(readValue(reader, reader.enter(end), depth + 1));
    else reader.skip(next, end);
  }
  return list;
}

/** JSON has no NaN and no infinities; they become the texts of protobuf's JSON mapping. */
export function finite(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

/** An assignment to `__proto__` would set something else. */
export function setOwn(target: JsonObject, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}
