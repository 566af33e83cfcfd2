// Suites as they are named on the command line: files, or folders of them. Everything that is wrong in any of them is
// reported at once.
import { stat } from "node:fs/promises";
import { ProctorError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import { loadSuite } from "../../../suites/load.ts";
import type { Suite } from "../../../suites/suite.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { pathOf } from "../path-of.ts";
import { findSuites } from "./find-suites.ts";

export async function loadSuites(
  names: readonly string[],
  { io, composition }: CommandContext,
): Promise<Suite[]> {
  const schemes = await composition.schemes();
  const checkOptions = await composition.optionCheck();
  const files = (await Promise.all(names.map((name) => findFiles(name, io.cwd)))).flat();
  const suites: Suite[] = [];
  const problems: ProctorError[] = [];
  for (const file of new Set(files)) {
    try {
      suites.push(await loadSuite(file, { variables: io.env, schemes, checkOptions }));
    } catch (error) {
      if (!ProctorError.is(error)) throw error;
      problems.push(error);
    }
  }
  const [first, ...others] = problems;
  if (first === undefined) return suites;
  if (others.length === 0) throw first;
  throw new ProctorError("SUITE_INVALID", problems.map(({ message }) => message).join("\n"), {
    details: problems.flatMap(({ details }): Json[] =>
      Array.isArray(details) ? details : [details ?? null],
    ),
  });
}

async function findFiles(name: string, cwd: string): Promise<string[]> {
  const path = pathOf(name, cwd);
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true ? findSuites(path, name) : [path];
}
