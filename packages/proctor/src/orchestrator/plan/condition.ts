// Whether the condition of a task holds.
import { canonicalJson } from "../../core/canonical-json.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import type { Condition, ConditionTest } from "../../core/plan.ts";
import { quote } from "../../core/printable.ts";
import { lookUp, resolveReferences } from "./references.ts";
import { soleReference } from "./split-references.ts";
import type { Values } from "./values.ts";

/** Message for a condition that is not a single reference: it would always be the same, or depend on how words are put together. */
export const NOT_A_CONDITION = "must be one reference alone, or {value, equals, …}";

export type Holds = { holds: boolean } | { problem: string };

/** All tests that are named must hold. Without any, the value itself must not be false, 0, empty, null or missing. */
export function holds(when: Condition, values: Values): Holds {
  if (typeof when === "string" && soleReference(when) === undefined)
    return { problem: `the condition ${quote(when)} ${NOT_A_CONDITION}` };
  const test: ConditionTest = typeof when === "string" ? { value: when } : when;
  const found = valueOf(test.value, values);
  if ("problem" in found) return found;
  const expected = resolveReferences({ ...test, value: null }, values);
  if ("problem" in expected) return expected;
  // Resolving keeps the shape, because only the compared values may hold texts.
  return testAll(found.value, expected.value as ConditionTest);
}

/** Resolves a value. A reference to nothing is not a problem here: the value is missing. */
function valueOf(value: Json, values: Values): { value: Json | undefined } | { problem: string } {
  const reference = soleReference(value);
  if (reference === undefined) return resolveReferences(value, values);
  const found = lookUp(reference, values);
  if ("value" in found) return found;
  return found.missing ? { value: undefined } : { problem: found.problem };
}

/** Applies all tests. A missing value equals nothing, not even null. */
function testAll(value: Json | undefined, tests: ConditionTest): Holds {
  const { equals, not_equals: unequal, in: list, greater, less, exists } = tests;
  const results: boolean[] = [];
  if (exists !== undefined) results.push((value !== undefined) === exists);
  if (equals !== undefined) results.push(isSame(value, equals));
  if (unequal !== undefined) results.push(!isSame(value, unequal));
  if (list !== undefined) results.push(list.some((item) => isSame(value, item)));
  if (greater !== undefined || less !== undefined) {
    if (value !== undefined && typeof value !== "number")
      return { problem: `the condition compares ${quote(JSON.stringify(value))}, which is no number` };
    results.push(value !== undefined && value > (greater ?? -Infinity) && value < (less ?? Infinity));
  }
  return { holds: results.length === 0 ? isSomething(value) : results.every(Boolean) };
}

function isSame(value: Json | undefined, other: Json): boolean {
  return value !== undefined && canonicalJson(value) === canonicalJson(other);
}

function isSomething(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}
