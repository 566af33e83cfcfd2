// A value as its schema describes it, for people: the schema's own example, or one value for each field that is always there.
import { fieldsOf, listOf, textOf } from "./read-value.ts";
import type { Media, Schema, Schemas } from "./reference.ts";
import { refName } from "./ref-name.ts";

/** Levels of nesting beyond which a schema is summarised. */
const MAX_DEPTH = 5;

export function exampleOf({ schema, example }: Pick<Media, "schema" | "example">, schemas: Schemas): unknown {
  return example ?? valueOf(schema, schemas, "", 0);
}

function valueOf(schema: Schema, schemas: Schemas, name: string, depth: number): unknown {
  const { examples, enum: values, const: constant, anyOf, oneOf, type, items, default: usual } = schema;
  const reference = refName(schema);
  if (reference !== undefined) {
    return depth > MAX_DEPTH ? {} : valueOf(schemas[reference] ?? {}, schemas, name, depth + 1);
  }
  if (listOf(examples).length > 0) return listOf(examples)[0];
  if (constant !== undefined) return constant;
  if (usual !== undefined) return usual;
  if (Array.isArray(values)) return listOf(values)[0];
  const options = [...listOf(anyOf), ...listOf(oneOf)];
  const [first] = options;
  // A value that may be null is null most of the time.
  if (options.some((option) => fieldsOf(option)["type"] === "null")) return null;
  if (first !== undefined) return valueOf(fieldsOf(first), schemas, name, depth);
  if (type === "array") {
    return depth < MAX_DEPTH ? [valueOf(fieldsOf(items), schemas, name, depth + 1)] : [];
  }
  if (type === "object") return depth < MAX_DEPTH ? objectOf(schema, schemas, depth) : {};
  return plainOf(schema, name);
}

function objectOf({ properties, required }: Schema, schemas: Schemas, depth: number): object {
  const fields = fieldsOf(properties);
  return Object.fromEntries(
    listOf(required)
      .map(textOf)
      .map((name) => [name, valueOf(fieldsOf(fields[name]), schemas, name, depth + 1)]),
  );
}

function plainOf({ type, minimum, format }: Schema, name: string): unknown {
  switch (type) {
    case "integer":
    case "number":
      return typeof minimum === "number" ? Math.max(minimum, 0) : 0;
    case "boolean":
      return false;
    case "string":
      if (format === "date-time") return "2026-01-31T12:00:00.000Z";
      return format === "uuid" || /(?:^|_)id$/.test(name) ? "01890000-0000-7000-8000-000000000000" : "…";
    default:
      return null;
  }
}
