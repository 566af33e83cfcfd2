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
  /** The one object that stands for all schemas equal to this one, as long as it is kept. */
  shared(schema: JsonObject): JsonObject;
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
  /** By their text. */
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
    // One that is kept was looked at before.
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
