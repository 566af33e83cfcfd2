// Which field a JSON Schema gets, and what stands in it at first.

export type JsonSchema = Record<string, unknown>;
type FieldKind = "enum" | "boolean" | "string" | "number" | "object" | "array" | "raw";

/** Limits beyond which a form does not help: the value is written as JSON. */
const DEEPEST = 6;
const MOST_FIELDS = 60;
const MOST_CHOICES = 200;

export function fieldKind(schema: JsonSchema, depth: number): FieldKind {
  if (depth > DEEPEST || !isObject(schema)) return "raw";
  if (["$ref", "anyOf", "oneOf", "allOf", "not", "if"].some((name) => name in schema)) return "raw";
  const { type } = schema;
  const choices = schema["enum"];
  if (Array.isArray(choices)) return choices.length > 0 && choices.length <= MOST_CHOICES ? "enum" : "raw";
  switch (type) {
    case "boolean":
    case "string":
      return type;
    case "number":
    case "integer":
      return "number";
    case "object": {
      const { properties } = schema;
      if (!isObject(properties)) return "raw";
      const fields = Object.values(properties);
      return fields.length <= MOST_FIELDS && fields.every(isObject) ? "object" : "raw";
    }
    case "array":
      return isObject(schema["items"]) ? "array" : "raw";
    default:
      return "raw";
  }
}

/** Returns the schema's default, else the smallest value that has its shape; undefined where the visitor has to give one. */
export function startValue(schema: JsonSchema, depth = 0): unknown {
  if (!isObject(schema)) return undefined;
  if ("default" in schema) return structuredClone(schema["default"]);
  if ("const" in schema) return structuredClone(schema["const"]);
  switch (fieldKind(schema, depth)) {
    case "object": {
      const needed = new Set(Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : []);
      const entries = Object.entries(schema["properties"] as Record<string, JsonSchema>)
        .filter(([name, inner]) => needed.has(name) || "default" in inner)
        .map(([name, inner]) => [name, startValue(inner, depth + 1)] as const)
        .filter(([, value]) => value !== undefined);
      return Object.fromEntries(entries);
    }
    case "string":
      return depth === 0 ? undefined : "";
    default:
      return undefined;
  }
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
