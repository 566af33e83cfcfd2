// Schemas of routes as JSON Schemas: those with a name go into `components`, and are referred to from then on.
import { z } from "zod";
import type { SchemaObject } from "./openapi.ts";

export type SchemaWriter = (schema: z.ZodType) => SchemaObject;

/** A schema, and those with a name that it refers to. */
interface Written {
  root: SchemaObject;
  named: ReadonlyMap<string, SchemaObject>;
}

/** The JSON Schemas made so far: many routes share the schema of an answer, and all share that of errors. */
const known = new WeakMap<z.ZodType, Written>();

/** Throws when two schemas that differ have one name, or one that refers to itself has none: both are bugs. */
export function schemaWriter(components: Record<string, SchemaObject>): SchemaWriter {
  function add(id: string, schema: SchemaObject): void {
    if (id.startsWith("__")) throw new Error(`a schema that refers to itself needs a name: ${id}`);
    const other = components[id];
    if (other !== undefined && other !== schema && JSON.stringify(other) !== JSON.stringify(schema)) {
      throw new Error(`two schemas have the name ${id}`);
    }
    components[id] = schema;
  }
  return (schema) => {
    const written = known.get(schema) ?? write(schema);
    known.set(schema, written);
    for (const [id, definition] of written.named) add(id, definition);
    return written.root;
  };
}

function write(schema: z.ZodType): Written {
  const {
    $schema: _dialect,
    $defs = {},
    ...root
  } = z.toJSONSchema(schema, {
    io: "input",
    // Custom checks describe themselves in their `meta`.
    unrepresentable: "any",
  });
  const named = Object.entries($defs).map(([id, definition]) => [id, tidy(definition)] as const);
  return { root: tidy(root), named: new Map(named) };
}

/**
 * Points references at `components`, and leaves out what says nothing: the keys of a JSON object are strings.
 */
function tidy(schema: object): SchemaObject {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === "$ref" && typeof value === "string")
      return value.replace("#/$defs/", "#/components/schemas/");
    return key === "propertyNames" ? undefined : value;
  });
  return JSON.parse(text) as SchemaObject;
}
