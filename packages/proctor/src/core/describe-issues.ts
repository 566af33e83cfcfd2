// What a schema finds wrong with a value, in words for the sender: "event.timestamp is missing". The same for every protocol and
// every surface. Issues are those of zod, by their shape. No value is quoted: it may be a secret.
import type { Json } from "./json.ts";

export interface Issue {
  code?: string | undefined;
  path: readonly PropertyKey[];
  message: string;
}

interface DescribedIssue {
  /** Dotted path of the field; empty for the value itself. */
  path: string;
  /** Says what is wrong with the field, with its path in front. */
  message: string;
}

/** Describes the issues in words. `root` is what messages call the value itself. */
export function describeIssues(
  issues: readonly Issue[],
  value: unknown,
  root: string = "",
): DescribedIssue[] {
  return issues.map((issue) => {
    const path = issue.path.map(String);
    const name = [...(root === "" ? [] : [root]), ...path].join(".");
    const words = wordsOf(issue, value);
    return {
      path: path.join("."),
      message: name === "" || path.length === 0 ? words : `${name} ${words}`,
    };
  });
}

/** Returns what is wrong with a field of the value, as it follows its name; or with the value itself. */
export function wordsOf(issue: Issue, value: unknown): string {
  const found = valueAt(value, issue.path);
  return issue.path.length === 0 ? wordsOfWhole(issue, found) : wordsOfField(issue, found);
}

function wordsOfField(issue: Issue, found: unknown): string {
  if (found === undefined) return "is missing";
  const { expected, values, minimum, maximum, origin, errors } = issue as Issue & Details;
  switch (issue.code) {
    case "invalid_type":
      return wrongType(expected, found);
    case "invalid_value":
      return `must be ${(values ?? []).map((option) => JSON.stringify(option)).join(" or ")}`;
    case "too_small":
      if (origin === "string")
        return minimum === 1 ? "must not be empty" : `is shorter than ${minimum} characters`;
      return `must be at least ${minimum}`;
    case "too_big":
      return origin === "string" ? `is longer than ${maximum} characters` : `must be at most ${maximum}`;
    case "invalid_union": {
      const kinds = (errors ?? [])
        .flat()
        .filter(({ code, path }) => code === "invalid_type" && path.length === 0);
      const names = [...new Set(kinds.map((inner) => typeName((inner as Issue & Details).expected)))];
      if (names.length > 0) return `must be ${names.join(" or ")}, and is ${kindOf(found)}`;
      return issue.message.startsWith("Invalid input") ? "has none of the values it may have" : issue.message;
    }
    default:
      return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
  }
}

/** Returns what is wrong with a field of another type; `expected` is a name of TYPES. */
export function wrongType(expected: string | undefined, found: unknown): string {
  return `must be ${typeName(expected)}, and is ${kindOf(found)}`;
}

interface Details {
  expected?: string;
  values?: readonly Json[];
  minimum?: number;
  maximum?: number;
  origin?: string;
  errors?: readonly (readonly Issue[])[];
}

function wordsOfWhole(issue: Issue, found: unknown): string {
  const { expected } = issue as Issue & Details;
  return issue.code === "invalid_type"
    ? `expected ${typeName(expected)}, got ${kindOf(found)}`
    : wordsOfField(issue, found);
}

const TYPES: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
  null: "null",
};

function typeName(expected: string | undefined): string {
  return TYPES[expected ?? ""] ?? expected ?? "another type";
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return TYPES[typeof value] ?? typeof value;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  return found;
}
