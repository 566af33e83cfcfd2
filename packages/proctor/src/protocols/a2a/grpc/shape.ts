// What the codecs need to know of a message, taken from its descriptor: so a field that is added to a .proto file is added here.
import { ScalarType, type DescEnum, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { REQUIRED } from "./required.ts";

type ValueKind =
  | { kind: "string" | "bytes" | "integer" | "boolean" | "timestamp" | "duration" | "struct" | "value" }
  | { kind: "enum"; names: ReadonlyMap<number, string>; numbers: ReadonlyMap<string, number> }
  | { kind: "message"; shape: Shape };

export type Field = ValueKind & {
  /** Name of the field in JSON. */
  name: string;
  /** Name of the field in the .proto file, which parsers of ProtoJSON accept as well. */
  protoName: string;
  number: number;
  form: "one" | "list" | "map";
  /** True when a default value differs from an absent one. */
  hasPresence: boolean;
  /** Other members of its oneof, by their names in JSON. */
  rivals: readonly string[];
};

export interface Shape {
  typeName: string;
  byName: ReadonlyMap<string, Field>;
  byProtoName: ReadonlyMap<string, Field>;
  byNumber: ReadonlyMap<number, Field>;
  /** Fields that the protocol requires: an absent one has its default. */
  required: readonly Field[];
}

const WELL_KNOWN = {
  "google.protobuf.Struct": "struct",
  "google.protobuf.Value": "value",
  "google.protobuf.Timestamp": "timestamp",
  "google.protobuf.Duration": "duration",
} as const;
const SCALARS = new Map<ScalarType, "string" | "bytes" | "integer" | "boolean">([
  [ScalarType.STRING, "string"],
  [ScalarType.BYTES, "bytes"],
  [ScalarType.INT32, "integer"],
  [ScalarType.BOOL, "boolean"],
]);

const shapes = new WeakMap<DescMessage, Shape>();

export function shapeOf(message: DescMessage): Shape {
  const known = shapes.get(message);
  if (known) return known;
  const fields = message.fields.map(toField);
  const names = REQUIRED[message.typeName] ?? [];
  const shape: Shape = {
    typeName: message.typeName,
    byName: new Map(fields.map((field) => [field.name, field])),
    byProtoName: new Map(fields.map((field) => [field.protoName, field])),
    byNumber: new Map(fields.map((field) => [field.number, field])),
    required: fields.filter(({ name }) => names.includes(name)),
  };
  shapes.set(message, shape);
  return shape;
}

function toField(field: DescField): Field {
  const rivals = (field.oneof?.fields ?? []).filter((member) => member !== field);
  return {
    name: field.jsonName,
    protoName: field.name,
    number: field.number,
    form: field.fieldKind === "list" || field.fieldKind === "map" ? field.fieldKind : "one",
    // A field of a oneof, even of one with a single member, is present or not.
    hasPresence: field.oneof !== undefined || field.fieldKind === "message" || field.proto.proto3Optional,
    rivals: rivals.map(({ jsonName }) => jsonName),
    ...kindOf(field),
  };
}

function kindOf(field: DescField): ValueKind {
  if (field.message) return messageKind(field.message);
  if (field.enum) return enumKind(field.enum);
  const kind = field.scalar === undefined ? undefined : SCALARS.get(field.scalar);
  if (kind) return { kind };
  throw new Error(`${field.toString()} is of a kind that the codec does not know`);
}

function messageKind(message: DescMessage): ValueKind {
  const known = Object.entries(WELL_KNOWN).find(([typeName]) => typeName === message.typeName);
  return known ? { kind: known[1] } : { kind: "message", shape: shapeOf(message) };
}

function enumKind({ values }: DescEnum): ValueKind {
  return {
    kind: "enum",
    names: new Map(values.map(({ number, name }) => [number, name])),
    numbers: new Map(values.map(({ number, name }) => [name, number])),
  };
}
