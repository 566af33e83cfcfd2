// ProtoJSON has several ways to write the same: names of the .proto file, numbers for enums, null for an absent field. This makes one of
// them. What does not fit its field stays as it came, for others to judge; unknown fields stay too.
import type { DescMessage } from "@bufbuild/protobuf";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { setOwn } from "../../../channels/grpc/struct.ts";
import { shapeOf, type Field, type Shape } from "./shape.ts";

export function canonicalJson(schema: DescMessage, json: Json): Json {
  return canonicalMessage(shapeOf(schema), json);
}

function canonicalMessage(shape: Shape, json: Json): Json {
  if (!isJsonObject(json)) return json;
  const result: JsonObject = {};
  for (const [name, value] of Object.entries(json)) {
    const field = shape.byName.get(name) ?? shape.byProtoName.get(name);
    if (field === undefined) setOwn(result, name, value ?? null);
    else if (value != null || (value === null && field.kind === "value"))
      result[field.name] = canonicalField(field, value);
  }
  return result;
}

function canonicalField(field: Field, value: Json): Json {
  if (field.form === "list" && Array.isArray(value))
    return value.map((entry) => canonicalValue(field, entry));
  if (field.form === "map" && isJsonObject(value)) {
    const map: JsonObject = {};
    for (const [key, entry] of Object.entries(value)) setOwn(map, key, canonicalValue(field, entry ?? null));
    return map;
  }
  return canonicalValue(field, value);
}

function canonicalValue(field: Field, value: Json): Json {
  switch (field.kind) {
    case "message":
      return canonicalMessage(field.shape, value);
    case "enum":
      return typeof value === "number" ? (field.names.get(value) ?? String(value)) : value;
    case "bytes":
      return typeof value === "string" ? standardBase64(value) : value;
    default:
      return value;
  }
}

/** ProtoJSON also takes the alphabet for URLs. */
function standardBase64(text: string): string {
  return /[-_]/.test(text) ? text.replaceAll("-", "+").replaceAll("_", "/") : text;
}
