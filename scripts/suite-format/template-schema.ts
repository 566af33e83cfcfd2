// Where a suite may say a number, a list or a word of a few, it may say `{{ name }}` instead: the same in a JSON Schema.
import { isJsonObject, type Json, type JsonObject } from "../../packages/proctor/src/core/json.ts";

export const TEMPLATE: JsonObject = {
  description: "A template {{ name }} or a variable ${NAME}.",
  type: "string",
  pattern: "\\{\\{.+\\}\\}|\\$\\{.+\\}",
};

const REFERENCE: JsonObject = { $ref: "#/definitions/template" };

/** The object itself stays what it is; all that stands in it may be a template. */
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

/** Text that is held to nothing, anything at all, nothing at all, or what is known by its name. */
function takesAnyText(schema: JsonObject): boolean {
  const { type, enum: words, const: word, pattern, anyOf, not, $ref } = schema;
  if (not !== undefined || $ref !== undefined) return true;
  if (Array.isArray(anyOf)) return anyOf.some((form) => isJsonObject(form) && takesAnyText(form));
  if (words !== undefined || word !== undefined || pattern !== undefined) return false;
  const types = Array.isArray(type) ? type : [type];
  return type === undefined || types.includes("string");
}
