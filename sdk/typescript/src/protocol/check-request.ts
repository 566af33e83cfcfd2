// Checks a request against the JSON Schema of the protocol's document, written by hand, and names the field of every problem. Two
// things are looser than the schema, because real platforms send them: ids that are not UUIDs, and expected artifacts that are
// only names.
import { isObject } from "./json.ts";

export interface Problem {
  /** Path of the field, joined by dots: `task.description`. */
  field: string;
  message: string;
}

const SUPPORTED_MAJOR = "1";
const MAX_TASK_ID_CHARS = 256;
const MAX_DESCRIPTION_CHARS = 10_000;
/** Most variables of an environment. The document names no limit, but each value is searched for in everything that is sent. */
const MAX_VARIABLES = 1000;

type Rule = (value: unknown) => string | undefined;

export function checkRequest(value: unknown): Problem[] {
  if (!isObject(value)) return [{ field: "", message: "a request must be a JSON object" }];
  const problems: Problem[] = [];
  const check = (
    parent: Record<string, unknown>,
    path: string,
    rules: Record<string, Rule>,
    required: readonly string[] = [],
  ): void => {
    for (const [name, rule] of Object.entries(rules)) {
      const field = path + name;
      const given = Object.hasOwn(parent, name) ? parent[name] : undefined;
      const message =
        given === undefined ? (required.includes(name) ? "is missing" : undefined) : rule(given);
      if (message !== undefined) problems.push({ field, message });
    }
  };
  check(value, "", ROOT, ["version", "task_id", "task"]);
  const { task, constraints, context } = value;
  if (isObject(task)) check(task, "task.", TASK, ["description"]);
  if (isObject(constraints)) check(constraints, "constraints.", CONSTRAINTS);
  if (isObject(context)) check(context, "context.", CONTEXT);
  return problems;
}

const object: Rule = (value) => (isObject(value) ? undefined : "must be an object");
const text: Rule = (value) => (typeof value === "string" ? undefined : "must be a string");

const length =
  (max: number): Rule =>
  (value) => {
    if (typeof value !== "string") return "must be a string";
    // A schema counts characters, and `length` counts UTF-16 units: a character has one or two of them.
    const fits = value.length <= max || (value.length <= 2 * max && Array.from(value).length <= max);
    return value.length > 0 && fits ? undefined : `must have 1 to ${max} characters`;
  };

const whole =
  (max: number): Rule =>
  (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max
      ? undefined
      : `must be a whole number from 1 to ${max}`;

const version: Rule = (value) => {
  const major = typeof value === "string" ? /^(\d+)\.\d+$/.exec(value)?.[1] : undefined;
  if (major === undefined) return 'must be a string like "1.0"';
  return major === SUPPORTED_MAJOR ? undefined : "is of a major that is not supported; this agent speaks 1.x";
};

const url: Rule = (value) =>
  typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value)
    ? undefined
    : "must be an http or https URL";

const listOf =
  (what: string, accepts: (item: unknown) => boolean): Rule =>
  (value) =>
    Array.isArray(value) && value.every(accepts) ? undefined : `must be a list of ${what}`;

const expectedArtifact = (item: unknown): boolean =>
  typeof item === "string" ||
  (isObject(item) &&
    [undefined, "file", "structured"].includes(item["type"] as undefined) &&
    [item["format"], item["name"]].every((part) => part === undefined || typeof part === "string"));

const ROOT: Record<string, Rule> = {
  version,
  task_id: length(MAX_TASK_ID_CHARS),
  task: object,
  constraints: object,
  context: object,
  metadata: object,
};

const TASK: Record<string, Rule> = {
  description: length(MAX_DESCRIPTION_CHARS),
  input_data: object,
  expected_artifacts: listOf("expected artifacts", expectedArtifact),
};

const CONSTRAINTS: Record<string, Rule> = {
  max_steps: whole(1000),
  max_tokens: whole(10_000_000),
  timeout_seconds: whole(86_400),
  // The document's table of fields says "null = all allowed".
  allowed_tools: (value) =>
    value === null ? undefined : listOf("strings", (item) => typeof item === "string")(value),
  budget_usd: (value) => (typeof value === "number" && value >= 0 ? undefined : "must be a number from 0"),
};

const CONTEXT: Record<string, Rule> = {
  tools_endpoint: url,
  workspace_path: text,
  environment: (value) => {
    const values = isObject(value) ? Object.values(value) : [undefined];
    if (!values.every((item) => typeof item === "string")) return "must be an object of strings";
    return values.length <= MAX_VARIABLES ? undefined : `must have at most ${MAX_VARIABLES} variables`;
  },
};
