// JSON Schemas of drafts 07 and 2020-12, compiled by ajv, which is loaded with the first of them.
import { createRequire } from "node:module";
import type { Ajv, ErrorObject, Options, ValidateFunction } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import type { FormatsPlugin } from "ajv-formats";
import type { JsonObject, Json } from "../../core/json.ts";
import { jsonSize } from "../../core/json-size.ts";
import { TooSlowError, withinCpuTime } from "../../runtime/cpu-limit.ts";

/** Returns where and how the value departs from the schema, or undefined. Throws when validation takes too long. */
type Validate = (value: Json) => Departure | undefined;

interface Compiled {
  /** Validates without a time limit. */
  check: Validate;
  /** True where it takes at most as long as the schema is large, times the value. */
  isPlain: boolean;
}

type Compiler = new (options: Options) => Ajv;

interface Departure {
  message: string;
  /** The rule that was broken, as the schema has it. */
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
/** Keywords that people use and the drafts do not have. */
const ANNOTATIONS = ["example", "enumNames", "discriminator", "xml", "externalDocs"];

const load = createRequire(import.meta.url);
const compiled = new WeakMap<JsonObject, Compiled | TooSlowError>();
/** Large schemas of whole standards take seconds to compile. */
const COMPILE_LIMIT_MS = 10_000;
/** Keywords whose work does not grow with the size of schema and value alone: patterns, comparisons of items, rules that refer to others. */
const HEAVY =
  /"(?:pattern|patternProperties|format|uniqueItems|contains|propertyNames|unevaluated\w*|\$\w*[rR]ef)":/;
/** Size up to which a schema and a value count as small: without heavy keywords, both together then take less than some milliseconds. */
const SMALL_CHARS = 10_000;

/**
 * Throws when it is not a schema, and a `TooSlowError` when compiling it takes too much. Validation has a limit of its own, in
 * milliseconds of CPU time.
 */
export function compileSchema(
  schema: JsonObject,
  limitMs = COMPILE_LIMIT_MS,
  validationMs?: number,
): Validate {
  const known = compiled.get(schema) ?? compile(schema, limitMs);
  compiled.set(schema, known);
  if (known instanceof TooSlowError) throw known;
  const { check, isPlain } = known;
  return (value) =>
    isPlain && isSmall(value)
      ? check(value)
      : withinCpuTime("the validation", () => check(value), validationMs);
}

function compile(schema: JsonObject, limitMs: number): Compiled | TooSlowError {
  // Loading a library depends on the disk, and does not count.
  const newCompiler = compilersFor(schema);
  let test: ValidateFunction;
  try {
    test = withinCpuTime("the schema", () => newCompiler().compile(schema), limitMs);
  } catch (error) {
    if (error instanceof TooSlowError) return error;
    throw error;
  }
  const isPlain = jsonSize(schema) <= SMALL_CHARS && !HEAVY.test(JSON.stringify(schema));
  return { check: (value) => (test(value) ? undefined : departure(test.errors?.[0])), isPlain };
}

/** The last value, whose size is computed once, because a search validates one value against many schemas. */
let lastValue: Json = null;
let lastIsSmall = true;

/** Whether a value is small enough to be validated without a CPU limit, which costs more than most validations. */
function isSmall(value: Json): boolean {
  if (value === lastValue) return lastIsSmall;
  lastIsSmall = jsonSize(value) <= SMALL_CHARS;
  lastValue = value;
  return lastIsSmall;
}

/** One compiler for each draft, which tells whether something is a schema of that draft. */
const judges = new Map<Compiler, Ajv>();

/** Loads what the draft needs. The function it returns makes a new compiler each time. */
function compilersFor({ $schema: draft }: JsonObject): () => Ajv {
  // The packages are CommonJS and loaded synchronously; their exports are known from their documentation.
  const { default: addFormats } = load("ajv-formats") as { default: FormatsPlugin };
  const Compiler = compilerOf(draft);
  const create = (): Ajv => {
    const compiler = new Compiler(OPTIONS);
    compiler.addVocabulary(ANNOTATIONS);
    addFormats(compiler);
    return compiler;
  };
  let judge = judges.get(Compiler);
  if (judge === undefined) {
    judge = create();
    // Compiles the draft's own schema, which takes longer than most others. Once, and where no limit can interrupt it.
    void judge.validateSchema({});
    judges.set(Compiler, judge);
  }
  return () => {
    const compiler = create();
    compiler.validateSchema = (schema, throwOrLogError) => judge.validateSchema(schema, throwOrLogError);
    return compiler;
  };
}

function compilerOf(draft: Json | undefined): Compiler {
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
  // Both are parts of the JSON that we gave it.
  const { keyword, schema, data } = error as ErrorObject & { schema?: Json; data?: Json };
  return { message: sentence(error), expected: { [keyword]: schema ?? null }, actual: data };
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  const extra = Object.entries(params).find(([key]) => /^(?:additional|unevaluated)Property$/.test(key));
  const which = extra ? ` (${JSON.stringify(extra[1])})` : "";
  return `${instancePath === "" ? "the whole" : instancePath}: ${message ?? "is wrong"}${which}`;
}
