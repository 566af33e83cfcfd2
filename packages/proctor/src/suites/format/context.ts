// What the parts of a loading suite share: where problems go, and the values that templates can name.
import type { z } from "zod";
import { isJsonObject, type Json } from "../../core/json.ts";
import { checkValue, type Finding } from "../../runtime/yaml/findings.ts";
import { quote } from "../../core/printable.ts";
import type { Path } from "../../runtime/yaml/yaml-locate.ts";
import type { RowProblems } from "./row-problems.ts";
import type { Scope } from "./scope.ts";
import { below, problemAt, type Source } from "./source.ts";
import { compile, type Report } from "./template.ts";

/** One place in one file, perhaps in one row of a data set. */
export interface Spot {
  source: Source;
  path: Path;
  problems: RowProblems;
  origin?: string;
}

export function inside(spot: Spot, ...steps: Path): Spot {
  return { ...spot, path: [...spot.path, ...steps] };
}

export function reporter({ source, path, problems, origin }: Spot, at: Finding["at"] = "value"): Report {
  return (inner, message, hint) => {
    const finding = { path: [...path, ...inner], at, message, ...(hint !== undefined && { hint }) };
    problems.add(problemAt(source, finding), origin);
  };
}

/**
 * The value as its schema reads it; undefined when it does not, and then that has been reported. `written` is the value
 * before its templates were filled in.
 */
export function read<T>(
  schema: z.ZodType<T>,
  value: unknown,
  spot: Spot,
  root: string,
  written?: unknown,
): T | undefined {
  let checked = checkValue(schema, value, root);
  if (!checked.ok && written !== undefined) {
    const changed = withText(checked.findings, value, written);
    if (changed !== value) checked = checkValue(schema, changed, root);
  }
  if (checked.ok) return checked.value;
  for (const finding of checked.findings) {
    const told = spot.origin?.includes(".csv:") ? aboutCells(finding) : finding;
    spot.problems.add(problemAt(spot.source, below(spot.path, told)), spot.origin);
  }
  return undefined;
}

/** Turns a number that a template put where text is expected into text. */
function withText(findings: readonly Finding[], value: unknown, written: unknown): unknown {
  return findings.reduce((changed, { path, message }) => {
    const isMeant = / must be text, not (?:a number|a fraction|true|false)$/.test(message);
    if (!isMeant || typeof valueAt(written, path) !== "string") return changed;
    return replaceAt(changed, path, String(valueAt(value, path)));
  }, value);
}

/** Copies along the path only: values that were read before are recognised by identity. */
function replaceAt(value: unknown, path: Path, by: string): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? replaceAt(item, rest, by) : item));
  return isJsonObject(value) ? { ...value, [step]: replaceAt(valueAt(value, [step]), rest, by) } : value;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return inner[Number(step)];
    return isJsonObject(inner) ? inner[String(step)] : undefined;
  }, value);
}

function aboutCells(finding: Finding): Finding {
  if (finding.hint !== undefined || !/must be .*, not text$/.test(finding.message)) return finding;
  return { ...finding, hint: "the cells of a CSV file are text; a .jsonl file can hold numbers, too" };
}

/** Adds variables to a scope; each may use those before it. */
type Extend = (scope: Scope, spot: Spot) => Scope;

/** Variables made of variables can double with every line, so their size is limited. */
const MAX_VARIABLE_CHARS = 10_000_000;

export function compileVars(vars: unknown): Extend | undefined {
  if (!isJsonObject(vars) || Object.keys(vars).length === 0) return undefined;
  const entries = Object.entries(vars).map(([name, value]) => [name, compile(value, [name])] as const);
  return (scope, spot) => {
    const wider = new Map(scope);
    const weights = new Map<object, number>();
    const report = reporter(spot);
    for (const [name, expander] of entries) {
      // The expander was compiled from JSON and fills in JSON.
      const value = expander.expand(wider, report) as Json | undefined;
      const isTooLarge = weightOf(value, weights) > MAX_VARIABLE_CHARS;
      if (isTooLarge) report([name], `the value of ${quote(name)} becomes larger than 10 MB`);
      // Unknown names have been reported; the variable itself is known.
      wider.set(name, value === undefined || isTooLarge ? "" : value);
    }
    return wider;
  };
}

/** The approximate length as JSON. A value that occurs several times is measured once. */
function weightOf(value: unknown, known: Map<object, number>): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  const before = known.get(value);
  if (before !== undefined) return before;
  const weight = Object.values(value).reduce<number>((sum, inner) => sum + weightOf(inner, known), 1);
  known.set(value, weight);
  return weight;
}
