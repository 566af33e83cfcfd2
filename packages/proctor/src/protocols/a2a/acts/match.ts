// Whether a value is what an assertion of ACTS says (its section 5). Pure. A bare value means equal; in a mapping a key is an operator if its name
// is one and its argument fits, and otherwise a field.
import { isDeepStrictEqual } from "node:util";
import { showValue } from "../../../conformance/finding.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { OPERATORS, type Operator } from "./operators.ts";

export interface Mismatch {
  /** Path at which the mismatch was found: `task.status.state`. */
  path: string;
  message: string;
  expected: string;
  actual: string;
}

/** Returns undefined where the value is right; `value` is undefined where there is none. */
export function match(assertion: Json, value: Json | undefined, path = ""): Mismatch | undefined {
  if (Array.isArray(assertion)) return matchInOrder(assertion, value, path);
  if (!isJsonObject(assertion)) {
    return isDeepStrictEqual(assertion, value) ? undefined : mismatch(path, showValue(assertion), value);
  }
  const entries = Object.entries(assertion).filter(
    (entry): entry is [string, Json] => entry[1] !== undefined,
  );
  for (const [key, argument] of entries) {
    const operator = operatorOf(key, argument);
    const found = operator
      ? operator.check(argument, value, path, { match, mismatch })
      : matchField(key, argument, value, path);
    if (found) return found;
  }
  return undefined;
}

/** Returns the operator that a key stands for; undefined where it names a field. */
export function operatorOf(key: string, argument: Json): Operator | undefined {
  const operator = Object.hasOwn(OPERATORS, key) ? OPERATORS[key] : undefined;
  return operator?.fits(argument) === true ? operator : undefined;
}

function matchField(key: string, inner: Json, value: Json | undefined, path: string): Mismatch | undefined {
  if (!isJsonObject(value)) return mismatch(path, "an object", value);
  return match(inner, Object.hasOwn(value, key) ? value[key] : undefined, joinPath(path, key));
}

/** The first assertion is about the first element, and so on; what comes after the last may be anything. */
function matchInOrder(
  assertions: readonly Json[],
  value: Json | undefined,
  path: string,
): Mismatch | undefined {
  if (!Array.isArray(value)) return mismatch(path, "a list", value);
  for (const [index, assertion] of assertions.entries()) {
    const found = match(assertion, value[index], `${path}[${index}]`);
    if (found) return found;
  }
  return undefined;
}

export function mismatch(path: string, expected: string, value: Json | undefined): Mismatch {
  const actual = showValue(value);
  const where = path === "" ? "the answer" : path;
  return { path, message: `${where} is ${actual}, and not ${expected}`, expected, actual };
}

function joinPath(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

/** Returns the values of an object as names of headers are compared: in lower case. */
export function inLowerCase(assertions: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(assertions).map(([name, value]) => [name.toLowerCase(), value]));
}
