// Whether inputs and outputs fit the schemas of capabilities and tools. Schemas are those of agents and clients: compiling and applying them
// is limited in CPU time by the given compiler, equal ones are compiled once, and nothing is looked at that is nested too deeply.
import { canonicalJson } from "./canonical-json.ts";
import type { Json, JsonObject } from "./json.ts";
import { messageOf } from "./message-of.ts";
import { isValueTooDeep } from "./json-value-depth.ts";
import { createOldestKey } from "./oldest-key.ts";
import { TOO_DEEP } from "./refuse-deep.ts";

/** Returns a function that says how a value departs from the schema. Throws when the schema cannot be applied. */
export type CompileSchema = (schema: JsonObject) => (value: Json) => string | undefined;

export interface SchemaFits {
  /** Returns why the schema cannot be applied. */
  problemOf(schema: JsonObject): string | undefined;
  /** Returns how the value departs from the schema, or that the schema cannot be applied. */
  departure(schema: JsonObject, value: Json): string | undefined;
  /** Returns the one object that stands for all schemas equal to this one, as long as it is kept. */
  shared(schema: JsonObject): JsonObject;
}

export interface SchemaFitsOptions {
  /** Whether a schema whose check took too long once is not tried again: it would hold up all callers each time. */
  givesUp?: boolean;
}

/** Number of compiled schemas that are kept; further ones replace the oldest. */
const KEPT = 2000;

type Compiled = { check: (value: Json) => string | undefined } | { problem: string };

export function createSchemaFits(
  compile: CompileSchema,
  { givesUp = false }: SchemaFitsOptions = {},
): SchemaFits {
  /** Schemas that are kept, by their text. */
  const kept = new Map<string, JsonObject>();
  const compiled = new Map<JsonObject, Compiled>();
  const oldestKey = createOldestKey(kept);

  function shared(schema: JsonObject): JsonObject {
    if (compiled.has(schema)) return schema;
    const key = canonicalJson(schema);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const oldest = kept.size < KEPT ? undefined : oldestKey();
    if (oldest !== undefined) forget(oldest);
    kept.set(key, schema);
    compiled.set(schema, tryCompile(schema));
    return schema;
  }

  function forget(key: string): void {
    const schema = kept.get(key);
    kept.delete(key);
    if (schema !== undefined) compiled.delete(schema);
  }

  function compiledOf(schema: JsonObject): Compiled {
    // A schema that is kept was checked before.
    if (!compiled.has(schema) && isValueTooDeep(schema)) return { problem: `it ${TOO_DEEP}` };
    return compiled.get(shared(schema)) ?? tryCompile(schema);
  }

  function tryCompile(schema: JsonObject): Compiled {
    try {
      return { check: compile(schema) };
    } catch (error) {
      return { problem: messageOf(error) };
    }
  }

  return {
    shared,
    problemOf(schema) {
      const known = compiledOf(schema);
      return "problem" in known ? known.problem : undefined;
    },
    departure(schema, value) {
      const known = compiledOf(schema);
      if ("problem" in known) return `its schema cannot be applied: ${known.problem}`;
      if (isValueTooDeep(value)) return `it ${TOO_DEEP}`;
      try {
        return known.check(value);
      } catch (error) {
        if (givesUp) compiled.set(shared(schema), { problem: messageOf(error) });
        return messageOf(error);
      }
    },
  };
}
