// An answer as its schema describes it, for people: one value for each field that is always there.
import type { MediaObject, SchemaObject } from "../openapi.ts";

type Schemas = Readonly<Record<string, SchemaObject>>;

/** Deeper than this, a schema is summarised. */
const MAX_DEPTH = 5;

export function exampleAnswer({ schema, example }: MediaObject, schemas: Schemas): unknown {
  return example ?? valueOf(schema, schemas, "", 0);
}

function valueOf(schema: SchemaObject, schemas: Schemas, name: string, depth: number): unknown {
  const { $ref: ref, enum: values, const: constant, anyOf, oneOf, type, items, format, minimum } = schema;
  if (typeof ref === "string")
    return valueOf(schemas[ref.split("/").at(-1) ?? ""] ?? {}, schemas, name, depth);
  if (constant !== undefined) return constant;
  if (Array.isArray(values)) return values[0];
  const [first] = [anyOf, oneOf].find(Array.isArray) ?? [];
  if (first !== undefined) return valueOf(first as SchemaObject, schemas, name, depth);
  if (type === "array") {
    return depth < MAX_DEPTH ? [valueOf((items ?? {}) as SchemaObject, schemas, name, depth + 1)] : [];
  }
  if (type === "object") return depth < MAX_DEPTH ? objectOf(schema, schemas, depth) : {};
  if (type === "integer" || type === "number") return typeof minimum === "number" ? Math.max(minimum, 0) : 0;
  if (type === "boolean") return false;
  return type === "string" ? textOf(name, format) : null;
}

function objectOf({ properties = {}, required = [] }: SchemaObject, schemas: Schemas, depth: number): object {
  const names = Array.isArray(required) ? (required as string[]) : [];
  const fields = properties as Schemas;
  return Object.fromEntries(
    names.map((name) => [name, valueOf(fields[name] ?? {}, schemas, name, depth + 1)]),
  );
}

function textOf(name: string, format: unknown): string {
  if (format === "date-time") return "2026-01-31T12:00:00.000Z";
  if (format === "uuid" || /(?:^|_)id$/.test(name)) return "01890000-0000-7000-8000-000000000000";
  return "…";
}
