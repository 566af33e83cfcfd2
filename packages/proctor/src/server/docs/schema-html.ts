// A JSON Schema as a list of fields that people can read.
import type { SchemaObject } from "../openapi.ts";
import { escapeHtml, prose } from "./html.ts";

/** The fields of an object schema, nested ones included; nothing for other schemas. */
export function fieldList(schema: SchemaObject): string {
  const properties = Object.entries(asSchemas(schema["properties"]));
  if (properties.length === 0) return "";
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  return `<ul class="fields">${properties
    .map(([name, field]) => fieldItem(name, field, required.has(name)))
    .join("")}</ul>`;
}

/** What a value may be, in a few words, with links to named schemas. */
export function typeName(schema: SchemaObject): string {
  const {
    $ref: ref,
    type,
    const: constant,
    enum: values,
    anyOf,
    oneOf,
    items,
    additionalProperties,
  } = schema;
  if (typeof ref === "string") {
    const name = escapeHtml(ref.split("/").at(-1) ?? "");
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (Array.isArray(values)) {
    return values.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(", ");
  }
  if (constant !== undefined) return `<code>${escapeHtml(JSON.stringify(constant))}</code>`;
  const options = anyOf ?? oneOf;
  if (Array.isArray(options)) return options.map((option) => typeName(asSchema(option))).join(" or ");
  if (type === "array") return `list of ${typeName(asSchema(items))}`;
  if (type === "object" && schema["properties"] === undefined) {
    const value = asSchema(additionalProperties);
    return Object.keys(value).length === 0 ? "object" : `map of ${typeName(value)}`;
  }
  if (Array.isArray(type)) return type.map((one) => escapeHtml(String(one))).join(" or ");
  return typeof type === "string" ? escapeHtml(type) + bounds(schema) : "any value";
}

function fieldItem(name: string, schema: SchemaObject, required: boolean): string {
  const { description, items } = schema;
  const nested = fieldList(schema) || fieldList(asSchema(items));
  return `<li><div class="field"><code class="name">${escapeHtml(name)}</code> <span class="type">${typeName(schema)}</span>${
    required ? ' <span class="required">required</span>' : ""
  }</div>${typeof description === "string" ? `<p>${prose(description)}</p>` : ""}${nested}</li>`;
}

function bounds({ minimum, maximum, minLength, maxLength, format }: SchemaObject): string {
  const shown = (value: unknown): value is number =>
    typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  if (shown(minimum) && shown(maximum)) return ` ${minimum} to ${maximum}`;
  if (shown(minimum)) return ` from ${minimum}`;
  if (shown(maxLength)) return `, ${shown(minLength) ? `${minLength} to ` : "up to "}${maxLength} characters`;
  return typeof format === "string" ? `, ${escapeHtml(format)}` : "";
}

function asSchema(value: unknown): SchemaObject {
  return typeof value === "object" && value !== null ? (value as SchemaObject) : {};
}

function asSchemas(value: unknown): Record<string, SchemaObject> {
  // `properties` of a schema that zod wrote: names to schemas.
  return asSchema(value) as Record<string, SchemaObject>;
}
