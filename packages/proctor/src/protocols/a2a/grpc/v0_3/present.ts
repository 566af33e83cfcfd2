// Objects without the fields that are undefined.
import type { Json, JsonObject } from "../../../../core/json.ts";

export function present(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
