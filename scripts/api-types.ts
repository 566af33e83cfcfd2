// The types of the dashboard's client, made of the schemas of the OpenAPI document. scripts/generate.ts writes them to a file.

export const API_TYPES = new URL("../packages/dashboard/src/api/gen/schema.ts", import.meta.url);

interface Schema {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  description?: string;
}

const HEAD = "// Written from the OpenAPI document by scripts/api-types.ts.\n";

export function apiTypes(schemas: Readonly<Record<string, Schema>>): string {
  const names = Object.keys(schemas).toSorted();
  return [HEAD, ...names.map((name) => declaration(name, schemas[name] ?? {}))].join("\n");
}

function declaration(name: string, schema: Schema): string {
  return `${comment(schema, "")}export type ${name} = ${typeOf(schema, "")};\n`;
}

function typeOf(schema: Schema | boolean, indent: string): string {
  if (typeof schema === "boolean") return "unknown";
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return union(schema["enum"].map((value) => JSON.stringify(value)));
  const parts = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(parts)) return union(parts.map((part) => typeOf(part as Schema, indent)));
  if (Array.isArray(schema["allOf"])) {
    return schema["allOf"].map((part) => typeOf(part as Schema, indent)).join(" & ");
  }
  const kinds = schema.type === undefined ? [] : [schema.type].flat();
  return kinds.length === 0 ? "unknown" : union(kinds.map((kind) => ofKind(kind, schema, indent)));
}

function ofKind(kind: string, schema: Schema, indent: string): string {
  switch (kind) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return kind;
    case "array": {
      const item = typeOf((schema["items"] as Schema | undefined) ?? {}, indent);
      return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`;
    }
    default:
      return objectType(schema, indent);
  }
}

function objectType(schema: Schema, indent: string): string {
  const properties = Object.entries((schema["properties"] as Record<string, Schema> | undefined) ?? {});
  const required = new Set(schema["required"] as string[] | undefined);
  const rest = schema["additionalProperties"] as Schema | boolean | undefined;
  if (properties.length === 0) {
    return `Record<string, ${typeof rest === "object" ? typeOf(rest, indent) : "unknown"}>`;
  }
  const inner = `${indent}  `;
  const lines = properties.map(
    ([name, value]) =>
      `${comment(value, inner)}${inner}${name}${required.has(name) ? "" : "?"}: ${typeOf(value, inner)};\n`,
  );
  return `{\n${lines.join("")}${indent}}`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}

function comment({ description }: Schema, indent: string): string {
  if (description === undefined) return "";
  return `${indent}/** ${description.replaceAll("*/", "* /").replaceAll("\n", " ")} */\n`;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}
