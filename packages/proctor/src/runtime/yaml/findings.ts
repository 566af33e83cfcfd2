// The problems that a schema finds in a value, in words that a reader of the file understands. Callers add the positions.
import { messageOf } from "../../core/message-of.ts";
import { z } from "zod";
import { didYouMean } from "../../core/suggest.ts";
import { quote } from "../../core/printable.ts";
import type { Path } from "./yaml-locate.ts";

export interface Finding {
  path: Path;
  /** Where the problem is: at the value, or at the key that should not be there. */
  at: "key" | "value";
  message: string;
  hint?: string;
}

type Checked<T> = { ok: true; value: T } | { ok: false; findings: Finding[] };

/** Checks a value against a schema. `root` is the name of the value itself in messages. */
export function checkValue<T>(schema: z.ZodType<T>, value: unknown, root = "the file"): Checked<T> {
  // An issue about unknown keys does not say which keys are known; the schema that raised it does.
  const known = new Map<string, string[]>();
  const result = schema.safeParse(value, {
    reportInput: true,
    error: (issue) => {
      if (issue.code === "unrecognized_keys" && issue.inst instanceof z.ZodObject) {
        known.set(pathId(issue.path ?? []), Object.keys(issue.inst.shape));
      }
      return undefined;
    },
  });
  if (result.success) return { ok: true, value: result.data };
  return { ok: false, findings: result.error.issues.flatMap((issue) => findingsOf(issue, { known, root })) };
}

interface DispatchOptions {
  /** Returns the schemas that may be chosen, for editors, which see the schema but no value. */
  forms?: () => readonly z.ZodType[];
  /** True to read the same object only once: a data set may repeat an entry ten thousand times. */
  remember?: boolean;
}

const forms = new WeakMap<z.core.$ZodType, () => readonly z.ZodType[]>();

/**
 * Creates a schema that is chosen by looking at the value: its findings are exact, where a union could only say that nothing fits.
 */
export function dispatch<T>(
  choose: (value: unknown) => z.ZodType<T>,
  options: DispatchOptions = {},
): z.ZodType<T> {
  const known = new WeakMap<object, Checked<T>>();
  const read = (value: unknown): Checked<T> => {
    const key = options.remember && typeof value === "object" ? value : null;
    const checked = (key && known.get(key)) ?? checkValue(choose(value), value, "this entry");
    if (key) known.set(key, checked);
    return checked;
  };
  const schema = z.unknown().transform((value, context): T => {
    const checked = read(value);
    if (checked.ok) return checked.value;
    for (const finding of checked.findings) context.issues.push(issueOf(finding, value));
    return z.NEVER;
  });
  if (options.forms) forms.set(schema, options.forms);
  return schema;
}

/** Returns the schemas that a schema made by `dispatch` chooses from. */
export function formsOf(schema: z.core.$ZodType): readonly z.ZodType[] | undefined {
  return forms.get(schema)?.();
}

/** Returns a schema for a key that is known and refused: `message` says why, `hint` what to do instead. */
export function refused(message: string, hint?: string): z.ZodOptional<z.ZodType<undefined>> {
  return z
    .custom<undefined>((value) => value === undefined, { message, params: { at: "key", hint } })
    .meta({ not: {} })
    .optional();
}

/** Raises an error inside a refinement; its lines after the first become the hint. */
export function addError(context: z.RefinementCtx, error: unknown, path: readonly PropertyKey[] = []): void {
  const [message = "", ...rest] = messageOf(error).split("\n");
  const hint = rest.map((line) => line.trim()).join("  ");
  context.addIssue({ code: "custom", path: [...path], message, params: hint === "" ? {} : { hint } });
}

/** Returns the finding as an issue, so that a refinement can raise it with a hint. */
function issueOf({ path, message, at, hint }: Finding, input: unknown): z.core.$ZodRawIssue {
  return { code: "custom", path: [...path], message, input, params: { at, hint } };
}

function missing(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "a value is missing here" : `missing key ${quote(String(path.at(-1)))}`;
}

interface Reading {
  known: ReadonlyMap<string, string[]>;
  root: string;
}

function findingsOf(issue: z.core.$ZodIssue, reading: Reading): Finding[] {
  const { path } = issue;
  const name = nameOf(path, reading.root);
  const value = (message: string, hint?: string): Finding[] => [finding(path, "value", message, hint)];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => unknownKey([...path, key], key, reading.known.get(pathId(path)) ?? []));
    case "invalid_type":
      if (issue.input === undefined) return value(missing(path));
      return value(
        `${name} must be ${typeName(issue.expected)}, not ${typeOf(issue.input)}`,
        quoteHint(issue) ?? mappingHint(issue),
      );
    case "too_small":
      return value(tooSmall(name, issue));
    case "too_big":
      return value(
        issue.origin === "string"
          ? `${name} is longer than ${issue.maximum} characters`
          : `${name} must be ${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}`,
      );
    case "invalid_value": {
      if (issue.input === undefined) return value(missing(path));
      const options = issue.values.map(String);
      const mayMean = typeof issue.input === "string" && options.length > 1;
      const list = options.map((option) => quote(option)).join(" or ");
      return value(`${name} must be ${list}`, mayMean ? didYouMean(issue.input, options) : undefined);
    }
    case "invalid_union":
      return unionFindings(issue, reading);
    case "invalid_key":
      return [finding(path, "key", issue.issues[0]?.message ?? "this key is not allowed")];
    case "custom": {
      const { at, hint } = issue.params ?? {};
      return [
        finding(
          path,
          at === "key" ? "key" : "value",
          issue.message,
          typeof hint === "string" ? hint : undefined,
        ),
      ];
    }
    case "invalid_format":
    case "not_multiple_of":
    case "invalid_element":
      return value(issue.message);
    default:
      return issue satisfies never;
  }
}

/** Names both kinds when the value has neither; names what is wrong inside when its kind is right. */
function unionFindings(issue: z.core.$ZodIssueInvalidUnion, reading: Reading): Finding[] {
  const inside = issue.errors.find((issues) =>
    issues.every(({ path, code }) => path.length > 0 || code !== "invalid_type"),
  );
  if (inside && inside.length > 0) {
    return inside.flatMap((inner) => findingsOf({ ...inner, path: [...issue.path, ...inner.path] }, reading));
  }
  if (issue.input === undefined) {
    return [finding(issue.path, "value", missing(issue.path))];
  }
  const kinds = issue.errors
    .flat()
    .map((inner) => (inner.code === "invalid_type" ? typeName(inner.expected) : "else"));
  const message = `${nameOf(issue.path, reading.root)} must be ${[...new Set(kinds)].join(" or ")}, not ${typeOf(issue.input)}`;
  return [finding(issue.path, "value", message)];
}

function unknownKey(path: Path, key: string, known: readonly string[]): Finding {
  const hint = didYouMean(key, known, `known here: ${known.join(", ")}`);
  return finding(path, "key", `unknown key ${quote(key)}`, known.length > 0 ? hint : undefined);
}

function tooSmall(name: string, issue: z.core.$ZodIssueTooSmall): string {
  const minimum = Number(issue.minimum);
  if (issue.origin === "string") return `${name} must not be empty`;
  if (issue.origin === "array")
    return `${name} needs at least ${minimum} ${minimum === 1 ? "entry" : "entries"}`;
  return issue.inclusive === false
    ? `${name} must be more than ${minimum}`
    : `${name} must be at least ${minimum}`;
}

function finding(path: Path, at: Finding["at"], message: string, hint?: string): Finding {
  return hint === undefined ? { path, at, message } : { path, at, message, hint };
}

function quoteHint(issue: z.core.$ZodIssueInvalidType): string | undefined {
  const scalar = typeof issue.input === "number" || typeof issue.input === "boolean";
  return issue.expected === "string" && scalar ? "put it in quotes" : undefined;
}

/** Returns the mapping that a text was probably meant to be, where the mapping has one main key. */
function mappingHint({ expected, input, path }: z.core.$ZodIssueInvalidType): string | undefined {
  const key = path.at(-1) === "task" ? "description" : undefined;
  if (expected !== "object" || typeof input !== "string" || key === undefined) return undefined;
  return `write { ${key}: ${quote(input, 40)} }`;
}

function nameOf(path: Path, root: string): string {
  const last = path.at(-1);
  if (last === undefined) return root;
  if (typeof last !== "number") return quote(String(last));
  const list = path.at(-2);
  return list === undefined ? `entry ${last + 1}` : `entry ${last + 1} of ${quote(String(list))}`;
}

const TYPE_NAMES: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping (key: value)",
  record: "a mapping (key: value)",
};

function typeName(expected: string): string {
  return TYPE_NAMES[expected] ?? expected;
}

function typeOf(input: unknown): string {
  if (input === null) return "empty";
  if (Array.isArray(input)) return "a list";
  if (typeof input === "string") return "text";
  if (typeof input === "number") return Number.isInteger(input) ? "a number" : "a fraction";
  if (typeof input === "boolean") return String(input);
  return "a mapping";
}

function pathId(path: Path): string {
  return JSON.stringify(path.map(String));
}
