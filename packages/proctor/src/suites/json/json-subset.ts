// Whether a JSON value holds everything of another one: objects may have more keys, lists more entries.
import { canonicalJson } from "../../core/canonical-json.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import { pairUp } from "./pairing.ts";
import { shown } from "../texts/words.ts";

/** How a text of the expectation is compared with what stands in its place. */
type Leaf = (expected: Json, found: Json) => boolean;

const isEqual: Leaf = (expected, found) => canonicalJson(expected) === canonicalJson(found);

/** What is missing and where, or undefined. `leaf` decides about everything but objects and lists. */
export function missingFrom(
  found: Json | undefined,
  expected: Json,
  leaf: Leaf = isEqual,
  at = "$",
): string | undefined {
  if (found === undefined) return `${at}: expected ${shown(expected)}, found nothing`;
  if (isJsonObject(expected)) {
    if (!isJsonObject(found)) return `${at}: expected an object, found ${shown(found)}`;
    for (const [key, value] of Object.entries(expected)) {
      if (value === undefined) continue;
      const inner = Object.hasOwn(found, key) ? found[key] : undefined;
      const missing = missingFrom(inner, value, leaf, `${at}${step(key)}`);
      if (missing !== undefined) return missing;
    }
    return undefined;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(found)) return `${at}: expected a list, found ${shown(found)}`;
    const partners = pairUp(expected, found, (one, other) => missingFrom(other, one, leaf) === undefined);
    const lonely = partners.indexOf(undefined);
    return lonely === -1 ? undefined : `${at}: no entry for ${shown(expected[lonely])}`;
  }
  return leaf(expected, found) ? undefined : `${at}: expected ${shown(expected)}, found ${shown(found)}`;
}

function step(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
