// Assertions about what steps answered, by name (ACTS, section 5.5): about one value, or about the elements of a collection. Pure.
import type { Json } from "../../../core/json.ts";
import { match, mismatch, type Mismatch } from "./match.ts";
import { hasWildcard, valueAt, valuesAt } from "./path.ts";
import type { NamedAssertion } from "./step-schema.ts";

/** `source` is the value to which the assertion's source refers. */
export function checkNamed(assertion: NamedAssertion, source: Json | undefined): Mismatch | undefined {
  const { path, any, all, none } = assertion;
  const root = path === undefined || source === undefined ? source : at(source, path);
  if (assertion.match !== undefined) return match(assertion.match, root, path ?? "");
  const collection = any ?? all ?? none;
  if (collection === undefined) return undefined;
  const where = collection.path;
  const elements = root === undefined ? [] : elementsAt(root, where);
  const findings = elements.map((element) => match(collection.match, element, where));
  const first = findings.find((found) => found !== undefined);
  const shown = elements[0];
  // An assertion that looked at nothing has not passed.
  if (elements.length === 0) return mismatch(where, "a collection with elements", undefined);
  if (all) return first;
  if (any) return findings.includes(undefined) ? undefined : (first ?? mismatch(where, "there", shown));
  const matching = findings.indexOf(undefined);
  return matching === -1 ? undefined : mismatch(where, "without such an element", elements[matching]);
}

function at(source: Json, path: string): Json | undefined {
  return hasWildcard(path) ? valuesAt(source, path) : valueAt(source, path);
}

/** The path may lead to a list, or to its elements. */
function elementsAt(root: Json, path: string): Json[] {
  const values = valuesAt(root, path);
  const [only] = values;
  return !hasWildcard(path) && values.length === 1 && Array.isArray(only) ? only : values;
}
