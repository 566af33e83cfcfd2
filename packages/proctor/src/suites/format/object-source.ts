// A suite as an object that a program made: checked to be plain data, `${NAME}` replaced as in a file.
import { pathText } from "../../core/path-text.ts";
import { didYouMean } from "../../core/suggest.ts";
import { quote } from "../../core/printable.ts";
import { expandVariables, type Variables } from "../../runtime/yaml/variables.ts";
import type { Path } from "../../runtime/yaml/yaml-locate.ts";
import { problemAt, type Source } from "./source.ts";

const MAX_DEPTH = 100;

interface ObjectPlace {
  file: string;
  folder: string;
  /** The values for `${NAME}`; null leaves it as text. */
  variables: Variables | null;
}

export function objectSource(value: unknown, { file, folder, variables }: ObjectPlace): Source {
  const source: Source = {
    file,
    folder,
    value: undefined,
    problems: [],
    place: (path) => ({ file, line: 1, col: 1, path: pathText(path) }),
  };
  const report = (path: Path, message: string, hint?: string): void => {
    source.problems.push(problemAt(source, { path, at: "value", message, ...(hint && { hint }) }));
  };
  source.value = plain(value, [], { open: new Set(), report, variables });
  return source;
}

interface Walk {
  /** The objects around the current one. */
  open: Set<object>;
  report(path: Path, message: string, hint?: string): void;
  variables: Variables | null;
}

/** A copy that the author cannot change later. What it cannot hold is reported and left out. */
function plain(value: unknown, path: Path, walk: Walk): unknown {
  if (typeof value === "string") return expand(value, path, walk);
  if (typeof value === "number" && !Number.isFinite(value)) walk.report(path, "a number must be finite");
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object") return refuse(value, path, walk);
  if (walk.open.has(value)) return walk.report(path, "this object holds itself");
  if (path.length > MAX_DEPTH) return walk.report(path, `nested deeper than ${MAX_DEPTH} levels`);
  walk.open.add(value);
  const copy = Array.isArray(value)
    ? value.map((item, index) => plain(item, [...path, index], walk))
    : plainObject(value, path, walk);
  walk.open.delete(value);
  return copy;
}

function plainObject(value: object, path: Path, walk: Walk): unknown {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Modules of another realm (a test runner's) have an Object of their own.
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain || Object.hasOwn(value, "__proto__")) return refuse(value, path, walk);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [key, plain(inner, [...path, key], walk)]));
}

function refuse(value: unknown, path: Path, walk: Walk): void {
  const name = typeof value === "object" && value !== null ? value.constructor.name : typeof value;
  walk.report(
    path,
    `must be plain data, not ${quote(name)}`,
    "use texts, numbers, true or false, null, lists and objects",
  );
}

function expand(value: string, path: Path, walk: Walk): string {
  const { variables } = walk;
  if (!variables) return value;
  const { text, missing } = expandVariables(value, variables);
  for (const name of missing) {
    const otherwise = `set ${name}, or give a default: \${${name}:value}`;
    const hint = didYouMean(name, Object.keys(variables), otherwise);
    walk.report(path, `the variable ${name} is not set`, hint);
  }
  return text;
}
