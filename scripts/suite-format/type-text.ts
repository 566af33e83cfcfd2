// The suite format as TypeScript types for `defineSuite`, made from its JSON Schema. suite-types.ts puts the file together.
import { isJsonObject, type Json, type JsonObject } from "../../packages/proctor/src/core/json.ts";

const HEAD = `// Written by scripts/suite-types.ts from the schemas that read suites; not to be changed by hand.

/** \`{{ name }}\` or \`\${NAME}\`, where something else than text is wanted. */
export type Template = \`\${string}{{\${string}}}\${string}\` | \`\${string}\\\${\${string}}\${string}\`;

type Entry<Type, Config> = { type: Type } & ({} extends Config ? { config?: Config | Template } : { config: Config | Template });

/** A check inside another one, which has no weight of its own. */
export type NestedCheck =
  | { [Type in keyof CheckConfigs]: Entry<Type | \`not_\${Type}\`, CheckConfigs[Type]> }[keyof CheckConfigs]
  | { [Type in keyof CaseCheckConfigs]: Entry<Type, CaseCheckConfigs[Type]> }[keyof CaseCheckConfigs];

export type CheckDefinition = NestedCheck & {
  /** Whether the score of the run is 0 when this check fails. */
  critical?: boolean | Template;
  /** Weight of this check in the score. */
  weight?: number | Template;
};
`;

/** Names of the definitions that become types of their own. */
const NAMES: Record<string, string> = {
  template: "Template",
  check: "CheckDefinition",
  nested_check: "NestedCheck",
  condition: "Condition",
  agent: "AgentDefinition",
  defaults: "DefaultsDefinition",
  test: "TestDefinition",
  constraints: "ConstraintsDefinition",
  scoring: "ScoringDefinition",
  pass_rate: "PassRateDefinition",
  tools: "ToolsDefinition",
  matrix: "MatrixDefinition",
  data: "DataDefinition",
  vars: "VarsDefinition",
};
const WRITTEN_BY_HAND = new Set(["template", "check", "nested_check"]);

export function suiteTypeText(schema: JsonObject, caseChecks: readonly string[]): string {
  const definitions = isJsonObject(schema["definitions"]) ? schema["definitions"] : {};
  const named = Object.entries(NAMES)
    .filter(([key]) => !WRITTEN_BY_HAND.has(key))
    .map(([key, name]) => `export type ${name} = ${typeOf(definitions[key], "")};\n`);
  const configs = Object.entries(definitions).flatMap(([key, config]): [string, Json | undefined][] =>
    key.startsWith("config_") ? [[key.slice("config_".length), config]] : [],
  );
  const table = (name: string, isMeant: (type: string) => boolean): string => {
    const lines = configs
      .filter(([type]) => isMeant(type))
      .map(([type, config]) => `  ${type}: ${typeOf(config, "  ")};\n`);
    return `export interface ${name} {\n${lines.join("")}}\n`;
  };
  return [
    HEAD,
    table("CheckConfigs", (type) => !caseChecks.includes(type)),
    table("CaseCheckConfigs", (type) => caseChecks.includes(type)),
    ...named,
    `export type SuiteDefinition = ${typeOf(schema, "")};\n`,
  ].join("\n");
}

function typeOf(schema: Json | undefined, indent: string): string {
  if (!isJsonObject(schema)) return "unknown";
  const { $ref, anyOf, enum: words, const: word, type } = schema;
  if (typeof $ref === "string") return NAMES[$ref.replace("#/definitions/", "")] ?? "unknown";
  if (isJsonObject(schema["properties"])) return objectType(schema, indent);
  if (Array.isArray(anyOf)) return union(anyOf.map((form) => typeOf(form, indent)));
  if (Array.isArray(words)) return union(words.map((one) => JSON.stringify(one)));
  if (word !== undefined) return JSON.stringify(word);
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, indent)));
  switch (type) {
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return type;
    case "array":
      return `readonly (${typeOf(schema["items"], indent)})[]`;
    case "object":
      return `{ readonly [name: string]: ${typeOf(schema["additionalProperties"], indent)} }`;
    default:
      return "unknown";
  }
}

function objectType(schema: JsonObject, indent: string): string {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const deeper = `${indent}  `;
  const lines = Object.entries(properties).flatMap(([key, inner]) => {
    // The schema lists this key only to refuse it.
    if (isJsonObject(inner) && inner["not"] !== undefined) return [];
    const mark = required.includes(key) ? "" : "?";
    const described =
      isJsonObject(inner) && typeof inner["description"] === "string" ? inner["description"] : "";
    const comment = described === "" ? "" : `${deeper}/** ${described} */\n`;
    return [`${comment}${deeper}${key}${mark}: ${typeOf(inner, deeper)};\n`];
  });
  // An axis of a matrix may have any name.
  const others = isJsonObject(schema["additionalProperties"]) ? [`${deeper}[name: string]: unknown;\n`] : [];
  return lines.length + others.length === 0 ? "{}" : `{\n${lines.join("")}${others.join("")}${indent}}`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}
