// What the codec needs to know of a message of agent.proto, taken from its descriptor: so a field that is added there is
// added here.
import { ScalarType, type DescField, type DescMessage } from "@bufbuild/protobuf";

export type FieldKind =
  | { kind: "string" | "integer" | "number" | "struct" | "names" | "variables" }
  | { kind: "message" | "messages"; shape: Shape };

export type Field = FieldKind & { name: string; number: number };

export interface Shape {
  byName: ReadonlyMap<string, Field>;
  byNumber: ReadonlyMap<number, Field>;
  /** Lists that the document requires: empty, not absent. */
  lists: readonly string[];
  /** Field number of `extensions`; 0 where there is none. */
  extensions: number;
  /** Field number of `content_bytes`; 0 where there is none. */
  contentBytes: number;
}

const EXTENSIONS = "extensions";
const CONTENT_BYTES = "content_bytes";
/** Fields that the codec writes, never a message's own keys. */
const SPECIAL = new Set([EXTENSIONS, CONTENT_BYTES]);
const STRUCT = "google.protobuf.Struct";
const TOOL_LIST = "atp.v1.ToolList";
const REQUIRED_LISTS = new Set(["atp.v1.ExecuteResponse.artifacts"]);

const shapes = new WeakMap<DescMessage, Shape>();

export function shapeOf(message: DescMessage): Shape {
  const known = shapes.get(message);
  if (known) return known;
  const fields = message.fields.filter(({ name }) => !SPECIAL.has(name)).map(toField);
  const numberOf = (name: string): number => message.fields.find((field) => field.name === name)?.number ?? 0;
  const shape: Shape = {
    byName: new Map(fields.map((field) => [field.name, field])),
    byNumber: new Map(fields.map((field) => [field.number, field])),
    lists: fields.map(({ name }) => name).filter((name) => REQUIRED_LISTS.has(`${message.typeName}.${name}`)),
    extensions: numberOf(EXTENSIONS),
    contentBytes: numberOf(CONTENT_BYTES),
  };
  shapes.set(message, shape);
  return shape;
}

function toField(field: DescField): Field {
  return { name: field.name, number: field.number, ...kindOf(field) };
}

function kindOf(field: DescField): FieldKind {
  switch (field.fieldKind) {
    case "scalar":
      return scalarKind(field, field.scalar);
    case "message":
      if (field.message.typeName === STRUCT) return { kind: "struct" };
      if (field.message.typeName === TOOL_LIST) return { kind: "names" };
      return { kind: "message", shape: shapeOf(field.message) };
    case "list":
      if (field.listKind === "message") return { kind: "messages", shape: shapeOf(field.message) };
      break;
    case "map":
      if (field.mapKind === "scalar" && field.scalar === ScalarType.STRING) return { kind: "variables" };
      break;
    case "enum":
      break;
  }
  throw unknownKind(field);
}

function scalarKind(field: DescField, scalar: ScalarType): FieldKind {
  if (scalar === ScalarType.STRING) return { kind: "string" };
  if (scalar === ScalarType.INT64) return { kind: "integer" };
  if (scalar === ScalarType.DOUBLE) return { kind: "number" };
  throw unknownKind(field);
}

function unknownKind(field: DescField): Error {
  return new Error(`${field.toString()} is of a kind that the codec does not know`);
}
