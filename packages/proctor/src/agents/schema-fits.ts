// Whether inputs and outputs fit the schemas of capabilities. Schemas are the agents' own: compiling and applying them is limited in CPU
// time by whoever compiles, and equal ones are compiled once.
import { canonicalJson } from "../core/canonical-json.ts";
import type { Json, JsonObject } from "../core/json.ts";
import { messageOf } from "../core/message-of.ts";
import { createOldestKey } from "../core/oldest-key.ts";

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

/** Compiled schemas that are kept; further ones take the place of the oldest. */
const KEPT = 2000;

type Compiled = { check: (value: Json) => string | undefined } | { problem: string };

export function createSchemaFits(compile: CompileSchema): SchemaFits {
  const keys = new WeakMap<JsonObject, string>();
  const compiled = new Map<string, Compiled>();
  const oldestKey = createOldestKey(compiled);

  function keyOf(schema: JsonObject): string {
    const known = keys.get(schema) ?? canonicalJson(schema);
    keys.set(schema, known);
    return known;
  }

  function compiledOf(schema: JsonObject): Compiled {
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
      try {
        return known.check(value);
      } catch (error) {
        // One that takes too long once is not tried again: it would hold up everybody each time.
        compiled.set(keyOf(schema), { problem: messageOf(error) });
        return messageOf(error);
      }
    },
  };
}
