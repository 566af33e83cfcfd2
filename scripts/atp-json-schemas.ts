// The strict profile as JSON Schemas (draft-07), for editors, SDKs and /docs. They mean the same as those that document 000 prints,
// under the same names. They are made from wire.ts on first use; json-schemas.test.ts checks that all three give the same verdicts.
import { z } from "zod";
import { isJsonObject, type JsonObject } from "../packages/proctor/src/core/json.ts";
import { atpEvent, atpRequest, atpResponse } from "../packages/proctor/src/protocols/atp/wire.ts";

export interface AtpJsonSchemas {
  readonly request: JsonObject;
  readonly response: JsonObject;
  readonly event: JsonObject;
}

const made = new Map<string, JsonObject>();

export const atpJsonSchemas: AtpJsonSchemas = {
  get request() {
    return once("request", "ATP Request", atpRequest);
  },
  get response() {
    return once("response", "ATP Response", atpResponse);
  },
  get event() {
    return once("event", "ATP Event", atpEvent);
  },
};

function once(name: string, title: string, schema: z.ZodType): JsonObject {
  let result = made.get(name);
  if (result === undefined) {
    result = toJsonSchema(name, title, schema);
    made.set(name, result);
  }
  return result;
}

function toJsonSchema(name: string, title: string, schema: z.ZodType): JsonObject {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    // Custom checks cannot be converted; their `meta` holds the schema.
    unrepresentable: "any",
    override({ jsonSchema }) {
      // An empty schema allows everything, which is the default of JSON Schema.
      if (isEmptyObject(jsonSchema.additionalProperties)) delete jsonSchema.additionalProperties;
    },
  });
  // Writing and parsing the schema drops zod's internal properties, which are not enumerable.
  const plain = JSON.parse(JSON.stringify(rest)) as JsonObject;
  return { $schema, $id: `https://atp.schema/${name}/v1`, title, ...plain };
}

function isEmptyObject(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
