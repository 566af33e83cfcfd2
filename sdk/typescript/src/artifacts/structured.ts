// Data that travels inside the response.
import { isObject, toJson } from "../protocol/json.ts";
import type { StructuredArtifact } from "../protocol/messages.ts";

/** The protocol asks for an object, so any other data becomes the field `output` of one. Throws when `data` cannot be written as JSON. */
export function structured(name: string, data: unknown, schema?: string): StructuredArtifact {
  const json = toJson(data) ?? null;
  return {
    type: "structured",
    name,
    ...(schema !== undefined && { schema }),
    data: isObject(json) ? json : { output: json },
  };
}
