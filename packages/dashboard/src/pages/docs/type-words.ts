// What a value may be, in a few words, and the named schemas that these words mention.
import { texts } from "../../texts.ts";
import { fieldsOf, listOf } from "./read-value.ts";
import type { Schema } from "./reference.ts";
import { refName } from "./ref-name.ts";

const words = texts.docs.types;

export function typeWords(schema: Schema): string {
  const { type, const: constant, enum: values, items, additionalProperties, properties } = schema;
  const name = refName(schema);
  if (name !== undefined) return name;
  if (Array.isArray(values)) return listOf(values).map(valueWords).join(", ");
  if (constant !== undefined) return valueWords(constant);
  const options = optionsOf(schema);
  if (options.length > 0) return options.map(typeWords).join(words.or);
  if (type === "array") return words.list(typeWords(fieldsOf(items)));
  if (type === "object" && properties === undefined) {
    const value = fieldsOf(additionalProperties);
    return Object.keys(value).length === 0 ? "object" : words.map(typeWords(value));
  }
  if (Array.isArray(type)) return listOf(type).map(String).join(words.or);
  return typeof type === "string" ? type + bounds(schema) : words.any;
}

/** Returns the names of the schemas that it mentions, without those that these mention in turn. */
export function namesIn(schema: Schema): string[] {
  const name = refName(schema);
  if (name !== undefined) return [name];
  const inner = [...optionsOf(schema), fieldsOf(schema["items"]), fieldsOf(schema["additionalProperties"])];
  return [...new Set(inner.flatMap((one) => (Object.keys(one).length === 0 ? [] : namesIn(one))))];
}

function optionsOf({ anyOf, oneOf, allOf }: Schema): Schema[] {
  return [...listOf(anyOf), ...listOf(oneOf), ...listOf(allOf)].map(fieldsOf);
}

function valueWords(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function bounds({ minimum, maximum, minLength, maxLength, format }: Schema): string {
  if (isShown(minimum) && isShown(maximum)) return words.range(minimum, maximum);
  if (isShown(minimum)) return words.from(minimum);
  if (isShown(maxLength)) return words.characters(isShown(minLength) ? minLength : 0, maxLength);
  return typeof format === "string" ? `, ${format}` : "";
}

function isShown(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}
