// Reads a TOML file of a task: strict, and every problem with its position, as our YAML files are read.
import { parse, TomlError } from "smol-toml";
import type { z } from "zod";
import { checkValue } from "../runtime/yaml/findings.ts";
import { problemsError, type Problem } from "../runtime/yaml/problem.ts";
import { readText } from "../runtime/yaml/read-text.ts";
import { locateToml } from "./locate-toml.ts";

/** Throws TASK_INVALID. */
export async function loadToml<T>(file: string, shown: string, schema: z.ZodType<T>): Promise<T> {
  const text = await readText(file, shown);
  const checked = checkValue(schema, parseToml(text, shown));
  if (checked.ok) return checked.value;
  const locate = locateToml(text);
  const problems = checked.findings.map(({ path, message, hint }): Problem => ({
    file: shown,
    ...locate(path),
    message,
    ...(hint !== undefined && { hint }),
  }));
  throw problemsError("TASK_INVALID", problems);
}

function parseToml(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [message = "not valid TOML"] = error.message.split("\n");
    throw problemsError("TASK_INVALID", [{ file, line: error.line, col: error.column, message }]);
  }
}
