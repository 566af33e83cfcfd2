// The suite format as JSON Schema, for editors. It is made from the schemas that read suites, so that the two cannot differ.
import { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../../packages/proctor/src/core/json.ts";
import { CASE_CHECKS, CHECKS } from "../../packages/proctor/src/suites/checks/registry.ts";
import { NOT } from "../../packages/proctor/src/suites/nested/negate.ts";
import { formsOf } from "../../packages/proctor/src/runtime/yaml/findings.ts";
import { checkEntry } from "../../packages/proctor/src/suites/format/check-entry.ts";
import { matrixSchema } from "../../packages/proctor/src/suites/format/parameter-schema.ts";
import { suiteSchema } from "../../packages/proctor/src/suites/format/schema.ts";
import { TEMPLATE, withTemplates } from "./template-schema.ts";

/** Keys that tests and defaults share. Each gets one definition. */
const SHARED = new Set(["constraints", "scoring", "pass_rate", "tools", "matrix", "data", "vars"]);

export function suiteJsonSchema(): JsonObject {
  const { $schema = "", properties, ...rest } = convert(suiteSchema);
  const { agents, tests, defaults, version: _, ...heads } = propertiesOf({ properties });
  const definitions: JsonObject = {
    template: TEMPLATE,
    check: checkDefinition({
      critical: { type: "boolean", default: false },
      weight: { type: "number", minimum: 0 },
    }),
    nested_check: checkDefinition({}),
    condition: CONDITION,
    agent: { anyOf: agentForms() },
    ...configDefinitions(),
  };
  const head = hoist(heads, definitions);
  const share = (schema: JsonObject): JsonObject => ({
    ...schema,
    properties: hoist(propertiesOf(schema), definitions),
  });
  definitions["defaults"] = share(withTemplates(plainObject(defaults)));
  definitions["test"] = { ...share(withTemplates(itemsOf(tests))), allOf: [SOMETHING_SAID] };
  return {
    $schema,
    title: "A Proctor test suite",
    ...rest,
    properties: {
      ...head,
      version: { description: "The version of the format.", enum: ["1.0", 1] },
      defaults: reference("defaults"),
      agents: { ...plainObject(agents), items: reference("agent") },
      tests: { ...plainObject(tests), items: reference("test") },
    },
    // Only the name is required, because tests may come from included files.
    required: ["test_suite"],
    anyOf: [{ required: ["tests"] }, { required: ["include"] }],
    definitions,
  };
}

function convert(schema: z.ZodType): JsonObject {
  const converted = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const schema: z.core.$ZodType = zodSchema;
      if (schema === checkEntry) Object.assign(jsonSchema, reference("check"));
      const forms = formsOf(schema);
      if (forms) Object.assign(jsonSchema, { anyOf: forms.map((form) => withoutDialect(convert(form))) });
      // The largest safe integer is not a limit that helps an author.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (isJsonObject(jsonSchema.default)) delete jsonSchema.default;
    },
  });
  // zod returns plain JSON.
  return converted as unknown as JsonObject;
}

function agentForms(): JsonObject[] {
  const matrix = withoutDialect(convert(matrixSchema));
  const forms = formsOf(suiteSchema.shape.agents.unwrap().element) ?? [];
  return forms.map((form) => {
    const schema = withTemplates(withoutDialect(convert(form)));
    return { ...schema, properties: { ...propertiesOf(schema), matrix } };
  });
}

const reference = (name: string): { $ref: string } => ({ $ref: `#/definitions/${name}` });
const configName = (type: string): string => `config_${type}`;

function configDefinitions(): JsonObject {
  return Object.fromEntries(
    [...CHECKS, ...CASE_CHECKS].map(({ type, config }) => {
      const schema = withTemplates(withoutDialect(convert(config)));
      return [configName(type), { ...schema, properties: nested(propertiesOf(schema)) }];
    }),
  );
}

/** Describes the lists of checks that hold other checks: their schemas depend on the value, so they cannot be converted. */
function nested(properties: JsonObject): JsonObject {
  const inner: Record<string, string> = { checks: "nested_check", conditions: "condition" };
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      const name = inner[key];
      const isOpen = JSON.stringify(schema).includes(`"items":{}`);
      if (name === undefined || !isOpen) return [key, schema];
      return [
        key,
        { anyOf: [{ type: "array", minItems: 1, items: reference(name) }, reference("template")] },
      ];
    }),
  );
}

function checkDefinition(more: JsonObject): JsonObject {
  const names = (type: string): string[] => [type, `${NOT}${type}`];
  const cases = [
    ...CHECKS.map(({ type, config }) => settings(names(type), type, config)),
    ...CASE_CHECKS.map(({ type, config }) => settings([type], type, config)),
  ];
  const all = [...CHECKS.flatMap(({ type }) => names(type)), ...CASE_CHECKS.map(({ type }) => type)];
  return {
    type: "object",
    properties: {
      type: { description: "Which check.", anyOf: [{ enum: all }, reference("template")] },
      config: { description: "Its settings." },
      ...more,
    },
    required: ["type"],
    additionalProperties: false,
    allOf: cases,
  };
}

/** Builds the rule that a check of one of these types has the config of that check. */
function settings(types: string[], type: string, config: z.ZodType): JsonObject {
  const isNeeded = Array.isArray(convert(config)["required"]);
  return {
    if: { properties: { type: { enum: types } }, required: ["type"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a key of JSON Schema; its value is never a function
    then: {
      properties: { config: { anyOf: [reference(configName(type)), reference("template")] } },
      ...(isNeeded && { required: ["config"] }),
    },
  };
}

/** Requires that somebody starts the conversation of a test. */
const SOMETHING_SAID: JsonObject = { anyOf: ["task", "turns", "user"].map((key) => ({ required: [key] })) };

const CONDITION: JsonObject = {
  anyOf: [
    reference("nested_check"),
    {
      type: "object",
      properties: {
        operator: { enum: ["and", "or", "not", "threshold"] },
        conditions: { type: "array", minItems: 1, items: reference("condition") },
        condition: reference("condition"),
        value: { type: "number", minimum: 0, maximum: 1 },
        comparator: { enum: [">=", ">", "<=", "<", "==", "!="] },
      },
      required: ["operator"],
      additionalProperties: false,
    },
  ],
};

/** Moves shared keys into the definitions. They are equal everywhere, so the first one is kept. */
function hoist(properties: JsonObject, definitions: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      if (!SHARED.has(key)) return [key, schema];
      definitions[key] ??= schema ?? {};
      return [key, reference(key)];
    }),
  );
}

function withoutDialect(schema: JsonObject): JsonObject {
  const { $schema: _, ...rest } = schema;
  return rest;
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

function plainObject(schema: Json | undefined): JsonObject {
  return isJsonObject(schema) ? schema : {};
}

function itemsOf(schema: Json | undefined): JsonObject {
  return plainObject(plainObject(schema)["items"]);
}
