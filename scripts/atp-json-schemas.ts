// The strict profile as JSON Schemas (draft-07), for editors, SDKs and /docs: in meaning those that document 000 prints,
// under the same names. Made from wire.ts on first use; json-schemas.test.ts holds all three to one verdict.
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
    // Checks of our own say in their `meta` what they are.
    unrepresentable: "any",
    override({ jsonSchema }) {
      // "Anything else is allowed" is what JSON Schema says by itself.
      if (isEmptyObject(jsonSchema.additionalProperties)) delete jsonSchema.additionalProperties;
    },
  });
  // zod's own bookkeeping is not enumerable and does not survive the text.
  const plain = JSON.parse(JSON.stringify(rest)) as JsonObject;
  return { $schema, $id: `https://atp.schema/${name}/v1`, title, ...plain };
}

function isEmptyObject(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}
