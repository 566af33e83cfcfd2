// A schema of the document as the form takes it: names replaced by what they stand for, and of several shapes the simple one. A visitor who
// needs another shape writes the body as JSON.
import type { JsonSchema } from "../../components/schema-kind.ts";
import { fieldsOf, listOf } from "./read-value.ts";
import type { Schema, Schemas } from "./reference.ts";
import { refName } from "./ref-name.ts";

/** Levels of nesting beyond which a value is written as JSON; a schema that refers to itself ends there, too. */
const MAX_DEPTH = 6;
const SIMPLE = new Set<unknown>(["string", "integer", "number", "boolean"]);

export function formSchema(schema: Schema, schemas: Schemas, depth = 0): JsonSchema {
  if (depth > MAX_DEPTH) return {};
  const name = refName(schema);
  if (name !== undefined) {
    const { $ref: _, ...own } = schema;
    return { ...formSchema(schemas[name] ?? {}, schemas, depth), ...own };
  }
  const { anyOf, oneOf, properties, items, ...rest } = schema;
  const options = [...listOf(anyOf), ...listOf(oneOf)].map(fieldsOf).filter(({ type }) => type !== "null");
  if (options.length > 0) {
    const simple = options.length === 1 ? options[0] : options.find(({ type }) => SIMPLE.has(type));
    return simple === undefined
      ? { ...rest, oneOf: options }
      : { ...formSchema(simple, schemas, depth), ...rest };
  }
  return {
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(fieldsOf(properties)).map(([key, inner]) => [
          key,
          formSchema(fieldsOf(inner), schemas, depth + 1),
        ]),
      ),
    }),
    ...(items !== undefined && { items: formSchema(fieldsOf(items), schemas, depth + 1) }),
  };
}
