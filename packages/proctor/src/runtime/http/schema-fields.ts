// Looks inside a schema: which fields an object at some path may have, and which schema the value of a field has.
import { z } from "zod";

/** Returns the names of the fields that the object at `path` may have; none when there is no object. */
export function fieldsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const [key, ...rest] = path;
  return objectsIn(schema).flatMap((object) => {
    if (key === undefined) return Object.keys(object.shape);
    const field = object.shape[String(key)];
    return field === undefined ? [] : fieldsAt(field, rest);
  });
}

/** Returns the schema without its `optional` and `nullable` wrappers. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrap(schema.def.innerType)
    : schema;
}

function objectsIn(schema: z.core.$ZodType): z.ZodObject[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) return [inner];
  return inner instanceof z.ZodUnion ? inner.def.options.flatMap(objectsIn) : [];
}
