// Whether inputs and outputs fit the schemas of capabilities and tools. Schemas are those of agents and clients: compiling and applying them
// is limited in CPU time by whoever compiles, equal ones are compiled once, and nothing is looked at that is nested too deeply.
import { canonicalJson } from "./canonical-json.ts";
import type { Json, JsonObject } from "./json.ts";
import { messageOf } from "./message-of.ts";
import { isValueTooDeep } from "./json-value-depth.ts";
import { createOldestKey } from "./oldest-key.ts";
import { TOO_DEEP } from "./refuse-deep.ts";

/** Returns what checks a value and says how it departs from the schema. Throws when it is no schema that can be applied. */
export type CompileSchema = (schema: JsonObject) => (value: Json) => string | undefined;

export interface SchemaFits {
  /** Says why this is no schema that can be applied. */
  problemOf(schema: JsonObject): string | undefined;
  /** Says how the value departs from the schema, or that the schema cannot be applied. */
  departure(schema: JsonObject, value: Json): string | undefined;
  /** Equal for equal schemas. */
  keyOf(schema: JsonObject): string;
}

export interface SchemaFitsOptions {
  /** A schema whose check took too long once is not tried again: it would hold up everybody each time. */
  givesUp?: boolean;
}

/** Compiled schemas that are kept; further ones take the place of the oldest. */
const KEPT = 2000;

type Compiled = { check: (value: Json) => string | undefined } | { problem: string };

export function createSchemaFits(
  compile: CompileSchema,
  { givesUp = false }: SchemaFitsOptions = {},
): SchemaFits {
  const keys = new WeakMap<JsonObject, string>();
  const compiled = new Map<string, Compiled>();
  const oldestKey = createOldestKey(compiled);

  function keyOf(schema: JsonObject): string {
    const known = keys.get(schema) ?? canonicalJson(schema);
    keys.set(schema, known);
    return known;
  }

  function compiledOf(schema: JsonObject): Compiled {
    // One whose key is known was looked at before.
    if (!keys.has(schema) && isValueTooDeep(schema)) return { problem: `it ${TOO_DEEP}` };
    const key = keyOf(schema);
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const fresh = tryCompile(schema);
    const oldest = compiled.size < KEPT ? undefined : oldestKey();
    if (oldest !== undefined) compiled.delete(oldest);
    compiled.set(key, fresh);
    return fresh;
  }

  function tryCompile(schema: JsonObject): Compiled {
    try {
      return { check: compile(schema) };
    } catch (error) {
      return { problem: messageOf(error) };
    }
  }

  return {
    keyOf,
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
        if (givesUp) compiled.set(keyOf(schema), { problem: messageOf(error) });
        return messageOf(error);
      }
    },
  };
}
