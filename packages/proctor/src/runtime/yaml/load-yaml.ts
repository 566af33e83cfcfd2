// The one way in which our own YAML files (suites, proctor.yaml) are read: strict, and every problem with its position.
import type { z } from "zod";
import type { ErrorCode } from "../../core/errors.ts";
import { checkValue } from "./findings.ts";
import type { Finding } from "./findings.ts";
import { problemsError } from "./problem.ts";
import type { Problem } from "./problem.ts";
import { readText } from "./read-text.ts";
import type { Variables } from "./variables.ts";
import { parseYaml } from "./yaml-source.ts";
import type { YamlSource } from "./yaml-source.ts";

/** Options for a file that a user named. */
export interface NamedFileOptions {
  /** The name of the file in problems; the path that was given when absent. */
  displayName?: string;
  /** The values for `${NAME}` in strings, usually the environment; none when absent. */
  variables?: Variables;
}

export interface LoadYamlOptions extends NamedFileOptions {
  /** The code of the error that carries all problems. */
  code: Extract<ErrorCode, "SUITE_INVALID" | "CONFIG_INVALID" | "TASK_INVALID" | "PLAN_INVALID">;
  /** Whether an empty file counts as an empty mapping instead of being a problem. */
  allowEmpty?: boolean;
  /** Finds what a schema cannot see: relations between distant places. It gets the raw value, valid or not. */
  relations?: (value: unknown) => Finding[];
}

interface PositionedValue<T> {
  value: T;
  source: YamlSource;
}

export async function loadYaml<T>(file: string, schema: z.ZodType<T>, options: LoadYamlOptions): Promise<T> {
  return (await loadPositioned(file, schema, options)).value;
}

/** Loads a file and also returns its source, for callers that name positions later. */
export async function loadPositioned<T>(
  file: string,
  schema: z.ZodType<T>,
  options: LoadYamlOptions,
): Promise<PositionedValue<T>> {
  const shown = options.displayName ?? file;
  return checkSource(parseYaml(shown, await readText(file, shown), options.variables), schema, options);
}

/** Checks a text that was read and parsed already. */
export function checkSource<T>(
  source: YamlSource,
  schema: z.ZodType<T>,
  options: Omit<LoadYamlOptions, keyof NamedFileOptions>,
): PositionedValue<T> {
  const value = source.value === undefined && options.allowEmpty ? {} : source.value;
  if (value === undefined) {
    throw problemsError(
      options.code,
      source.problems.length > 0 ? source.problems : [emptyFile(source.file)],
    );
  }
  const checked = checkValue(schema, value);
  const findings = [...(checked.ok ? [] : checked.findings), ...(options.relations?.(value) ?? [])];
  const problems = [...source.problems, ...findings.map((finding) => placed(finding, source))];
  if (!checked.ok || problems.length > 0) throw problemsError(options.code, problems);
  return { value: checked.value, source };
}

function placed({ path, at, message, hint }: Finding, source: YamlSource): Problem {
  const position = at === "key" ? source.keyAt(path) : source.valueAt(path);
  return { file: source.file, ...position, message, ...(hint !== undefined && { hint }) };
}

function emptyFile(file: string): Problem {
  return { file, line: 1, col: 1, message: "the file is empty" };
}
