// JSON Schemas of drafts 07 and 2020-12, compiled by ajv, which is loaded with the first of them.
import { createRequire } from "node:module";
import type { Ajv, ErrorObject, Options, ValidateFunction } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import type { FormatsPlugin } from "ajv-formats";
import type { JsonObject, Json } from "../../core/json.ts";
import { TooSlowError, withinCpuTime } from "../../runtime/cpu-limit.ts";

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
const compiled = new WeakMap<JsonObject, Validate | TooSlowError>();
/** Large schemas of whole standards are compiled in seconds. */
const COMPILE_LIMIT_MS = 10_000;

/** Throws when it is not a schema, and a `TooSlowError` when compiling it takes too much. */
export function compileSchema(schema: JsonObject, limitMs = COMPILE_LIMIT_MS): Validate {
  const known = compiled.get(schema) ?? compile(schema, limitMs);
  compiled.set(schema, known);
  if (known instanceof TooSlowError) throw known;
  return known;
}

function compile(schema: JsonObject, limitMs: number): Validate | TooSlowError {
  // Loading a library takes as long as the disk does, and does not count.
  const newCompiler = compilersFor(schema);
  let test: ValidateFunction;
  try {
    test = withinCpuTime("the schema", () => newCompiler().compile(schema), limitMs);
  } catch (error) {
    if (error instanceof TooSlowError) return error;
    throw error;
  }
  return (value) => {
    if (withinCpuTime("the validation", () => test(value))) return undefined;
    return departure(test.errors?.[0]);
  };
}

/** Loads what the draft needs. What it returns makes a new compiler each time. */
function compilersFor({ $schema: draft }: JsonObject): () => Ajv {
  // The packages are CommonJS, and loaded where nothing can wait: what they export is known from their documents.
  const { default: addFormats } = load("ajv-formats") as { default: FormatsPlugin };
  const Compiler = compilerOf(draft);
  return () => {
    const compiler = new Compiler(OPTIONS);
    compiler.addVocabulary(ANNOTATIONS);
    addFormats(compiler);
    return compiler;
  };
}

function compilerOf(draft: Json | undefined): new (options: Options) => Ajv {
  const name = typeof draft === "string" ? draft.replace(/#$/, "") : draft;
  switch (name) {
    case undefined:
    case "http://json-schema.org/draft-07/schema":
    case "https://json-schema.org/draft-07/schema": {
      const draft07 = load("ajv") as { Ajv: typeof Ajv };
      return draft07.Ajv;
    }
    case "https://json-schema.org/draft/2020-12/schema": {
      const draft2020 = load("ajv/dist/2020.js") as { Ajv2020: typeof Ajv2020 };
      return draft2020.Ajv2020;
    }
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
