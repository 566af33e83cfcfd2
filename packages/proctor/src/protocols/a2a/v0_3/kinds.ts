// `kind`, by which 0.3 says what an object is. In 1.0 the field that holds the object says it.
import type { JsonObject } from "../../../core/json.ts";
import type { Translation } from "../translating.ts";

export function withoutKind(value: JsonObject): JsonObject {
  const { kind: _, ...rest } = value;
  return rest;
}

/** Adds `kind`. In 1.0 the name is free, so that a value may already have it. */
export function withKind(kind: string, value: JsonObject, translation: Translation): JsonObject {
  const { kind: other } = value;
  if (other !== undefined && other !== kind)
    translation.lose("has another meaning in A2A 0.3, and is left out", "kind");
  return { ...value, kind };
}
