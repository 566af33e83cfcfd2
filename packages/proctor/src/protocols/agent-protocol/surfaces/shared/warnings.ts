// Fields and parameters that a request has and nobody knows: they are said in the answer, instead of vanishing.
import type { JsonObject } from "../../../../core/json.ts";
import { suggest } from "../../../../core/suggest.ts";

const MAX_WARNINGS = 20;
const MAX_NAME_CHARS = 100;

export function unknownNames(names: Iterable<string>, known: readonly string[]): string[] {
  const warnings: string[] = [];
  for (const name of names) {
    if (known.includes(name)) continue;
    if (warnings.length === MAX_WARNINGS) break;
    const near = suggest(name, known);
    const next = near === undefined ? `there are: ${known.join(", ")}` : `did you mean "${near}"?`;
    warnings.push(`"${name.slice(0, MAX_NAME_CHARS)}" is not known and was ignored; ${next}`);
  }
  return warnings;
}

export function unknownFields(body: JsonObject, known: readonly string[]): string[] {
  return unknownNames(Object.keys(body), known);
}

/** The answer itself where there is nothing to say. */
export function withWarnings<T extends object>(
  answer: T,
  warnings: readonly string[],
): T | (T & { warnings: readonly string[] }) {
  return warnings.length === 0 ? answer : { ...answer, warnings };
}
