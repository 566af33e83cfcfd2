// A JSON object that is nested so many levels deep, built without recursion. As a JSON Schema it is a sound one.
import type { JsonObject } from "../../src/core/json.ts";

export function nested(levels: number): JsonObject {
  let value: JsonObject = {};
  for (let level = 1; level < levels; level++) value = { not: value };
  return value;
}
