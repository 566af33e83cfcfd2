// JSON Schemas of drafts 07 and 2020-12, compiled by ajv, which is loaded with the first of them.
import { createRequire } from "node:module";
import type { Ajv, ErrorObject, Options } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import type { FormatsPlugin } from "ajv-formats";
import type { JsonObject, Json } from "../../core/json.ts";
import { withinTime } from "./time-limit.ts";

/** Undefined, or where the value departs from the schema and how. Throws when that takes too long. */
export type Validate = (value: Json) => Departure | undefined;

export interface Departure {
  message: string;
  /** The rule that was broken, as the schema has it, and what stands there instead. */
  expected: Json;
  actual: Json | undefined;
}

const OPTIONS: Options = {
  strictSchema: true,
  strictNumbers: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  logger: false,
  // Errors then carry the rule and the value.
  verbose: true,
};
/** Known to people, not to the drafts. */
const ANNOTATIONS = ["example", "discriminator", "xml", "externalDocs"];

const load = createRequire(import.meta.url);
const compiled = new WeakMap<JsonObject, Validate>();

/** Throws when it is no schema. */
export function compileSchema(schema: JsonObject): Validate {
  const known = compiled.get(schema);
  if (known) return known;
  const test = withinTime("the schema", () => compilerFor(schema).compile(schema));
  const validate: Validate = (value) => {
    if (withinTime("the validation", () => test(value))) return undefined;
    return departure(test.errors?.[0]);
  };
  compiled.set(schema, validate);
  return validate;
}

function compilerFor({ $schema: draft }: JsonObject): Ajv {
  // The packages are CommonJS, and loaded where nothing can wait: what they export is known from their documents.
  const { default: addFormats } = load("ajv-formats") as { default: FormatsPlugin };
  const compiler = newCompiler(draft);
  compiler.addVocabulary(ANNOTATIONS);
  addFormats(compiler);
  return compiler;
}

function newCompiler(draft: Json | undefined): Ajv {
  const name = typeof draft === "string" ? draft.replace(/#$/, "") : draft;
  switch (name) {
    case undefined:
    case "http://json-schema.org/draft-07/schema":
    case "https://json-schema.org/draft-07/schema":
      return new (load("ajv") as { Ajv: typeof Ajv }).Ajv(OPTIONS);
    case "https://json-schema.org/draft/2020-12/schema":
      return new (load("ajv/dist/2020.js") as { Ajv2020: typeof Ajv2020 }).Ajv2020(OPTIONS);
    default:
      throw new Error(`"$schema" names neither draft-07 nor 2020-12`);
  }
}

function departure(error: ErrorObject | undefined): Departure {
  if (!error) return { message: "it departs from the schema", expected: null, actual: undefined };
  // Both are parts of JSON that we gave it.
  const { keyword, schema, data } = error as ErrorObject & { schema?: Json; data?: Json };
  return { message: sentence(error), expected: { [keyword]: schema ?? null }, actual: data };
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  const extra = Object.entries(params).find(([key]) => /^(?:additional|unevaluated)Property$/.test(key));
  const which = extra ? ` (${JSON.stringify(extra[1])})` : "";
  return `${instancePath === "" ? "the whole" : instancePath}: ${message ?? "is wrong"}${which}`;
}
