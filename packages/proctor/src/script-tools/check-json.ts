// Whether data fits a JSON Schema of a tool. Compiled schemas are kept by their text, because each call reads its tool anew.
import type { Json, JsonObject } from "../core/json.ts";
import { messageOf } from "../core/message-of.ts";
import { createOldestKey } from "../core/oldest-key.ts";

/** Compiles a schema to a function that says where and how a value departs from it. Both throw where that takes too long. */
export type CompileSchema = (
  schema: JsonObject,
  limitMs: number,
) => (value: Json) => { message: string } | undefined;

/** CPU milliseconds for a schema: the hub does nothing else meanwhile. */
const COMPILE_LIMIT_MS = 500;
const MAX_KEPT = 200;

export interface CheckJson {
  /** Throws when it is no JSON Schema. */
  compile(schema: JsonObject): void;
  /** Returns what is wrong with the value; undefined when it fits. */
  check(schema: JsonObject, value: Json): string | undefined;
}

export function createCheckJson(compileSchema: CompileSchema): CheckJson {
  const kept = new Map<string, ReturnType<CompileSchema>>();
  const oldest = createOldestKey(kept);

  function compiled(schema: JsonObject): ReturnType<CompileSchema> {
    const key = JSON.stringify(schema);
    const known = kept.get(key);
    if (known) return known;
    const made = compileSchema(schema, COMPILE_LIMIT_MS);
    kept.set(key, made);
    if (kept.size > MAX_KEPT) kept.delete(oldest() ?? "");
    return made;
  }

  return {
    compile: (schema) => void compiled(schema),
    check(schema, value) {
      try {
        return compiled(schema)(value)?.message;
      } catch (error) {
        // A value that cannot be checked in time is not known to fit.
        return messageOf(error);
      }
    },
  };
}
