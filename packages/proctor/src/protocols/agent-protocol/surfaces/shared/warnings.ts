// Warnings about fields and parameters of a request that are not known: the answer names them, so that a typo is noticed.
import type { z } from "zod";
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

/** Warns of fields of a body that its schema does not name. */
export function unknownFields(body: object, { shape }: z.ZodObject): string[] {
  return unknownNames(Object.keys(body), Object.keys(shape));
}

/** Returns the answer itself where there is no warning. */
export function withWarnings<T extends object>(
  answer: T,
  warnings: readonly string[],
): T | (T & { warnings: readonly string[] }) {
  return warnings.length === 0 ? answer : { ...answer, warnings };
}
