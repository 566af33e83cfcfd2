// A suite may have `{{ name }}` in place of a number, a list or one of several words. This allows the same in a JSON Schema.
import { isJsonObject, type Json, type JsonObject } from "../../packages/proctor/src/core/json.ts";

export const TEMPLATE: JsonObject = {
  description: "A template {{ name }} or a variable ${NAME}.",
  type: "string",
  pattern: "\\{\\{.+\\}\\}|\\$\\{.+\\}",
};

const REFERENCE: JsonObject = { $ref: "#/definitions/template" };

/** Returns the schema with a template allowed in place of each value inside it. The object itself stays an object. */
export function withTemplates(schema: JsonObject): JsonObject {
  const { properties, items, additionalProperties, anyOf } = schema;
  return {
    ...schema,
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, inner]) => [key, orTemplate(inner)]),
      ),
    }),
    ...(isJsonObject(items) && { items: orTemplate(items) }),
    ...(isJsonObject(additionalProperties) && { additionalProperties: orTemplate(additionalProperties) }),
    ...(Array.isArray(anyOf) && {
      anyOf: anyOf.map((inner) => (isJsonObject(inner) ? withTemplates(inner) : inner)),
    }),
  };
}

function orTemplate(schema: Json | undefined): Json {
  if (!isJsonObject(schema)) return schema ?? null;
  const inner = withTemplates(schema);
  if (takesAnyText(inner)) return inner;
  const { description, anyOf, ...rest } = inner;
  const forms = Array.isArray(anyOf) ? anyOf : [rest];
  return { ...(description !== undefined && { description }), anyOf: [...forms, REFERENCE] };
}

/** Whether a template needs no form of its own: the schema accepts any text, anything, nothing, or is a reference. */
function takesAnyText(schema: JsonObject): boolean {
  const { type, enum: words, const: word, pattern, anyOf, not, $ref } = schema;
  if (not !== undefined || $ref !== undefined) return true;
  if (Array.isArray(anyOf)) return anyOf.some((form) => isJsonObject(form) && takesAnyText(form));
  if (words !== undefined || word !== undefined || pattern !== undefined) return false;
  const types = Array.isArray(type) ? type : [type];
  return type === undefined || types.includes("string");
}
