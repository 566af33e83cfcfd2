// Checks a document against its schema, and says what is wrong as `{path, message}` with a suggestion for unknown fields.
import type { z } from "zod";
import { wordsOf } from "../../core/describe-issues.ts";
import { ProctorError } from "../../core/errors.ts";
import { suggest } from "../../core/suggest.ts";
import { fieldsAt } from "./schema-fields.ts";

type Issue = z.core.$ZodIssue;

interface Detail {
  path: string;
  message: string;
}

const MAX_DETAILS = 20;

/** Returns the value, now known to have the schema's shape. Throws INVALID_REQUEST. `what` is "body" or "query". */
export function validate<S extends z.ZodType>(schema: S, value: unknown, what: "body" | "query"): z.infer<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = describeIssues(schema, value, result.error.issues).slice(0, MAX_DETAILS);
  const [first] = details;
  const where = first?.path === "" ? `the ${what}` : `${what} field ${first?.path}`;
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : "";
  throw new ProctorError("INVALID_REQUEST", `${where}: ${first?.message}${more}`, {
    details: details.map(({ path, message }) => ({ path, message })),
  });
}

function describeIssues(
  schema: z.ZodType,
  value: unknown,
  issues: readonly Issue[],
  base: readonly PropertyKey[] = [],
): Detail[] {
  return issues.flatMap((issue) => {
    const path = [...base, ...issue.path];
    if (issue.code === "unrecognized_keys") {
      const known = fieldsAt(schema, path);
      return issue.keys.map((key) => ({ path: dotted([...path, key]), message: unknownField(key, known) }));
    }
    const branch = issue.code === "invalid_union" ? meantBranch(issue.errors) : undefined;
    if (branch !== undefined) return describeIssues(schema, value, branch, path);
    return [{ path: dotted(path), message: wordsOf({ ...issue, path }, value) }];
  });
}

/** Returns the branch of a union that was probably meant: its problems lie inside the value, and there are fewest of them. */
function meantBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches
    .filter((issues) => issues.every((issue) => issue.path.length > 0 || issue.code !== "invalid_type"))
    .sort((a, b) => a.length - b.length)[0];
}

function unknownField(key: string, known: readonly string[]): string {
  const meant = suggest(key, known);
  return meant === undefined ? "unknown field" : `unknown field; did you mean "${meant}"?`;
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}
