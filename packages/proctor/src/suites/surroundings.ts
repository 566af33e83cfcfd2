// What a suite gives its runs beside their tasks: environment, secrets, tools, a workspace. Defaults first, then the test.
import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createRedactor } from "../core/redact.ts";
import type { RunOptions, WorkspaceOptions } from "../core/run-options.ts";
import type { ToolSet } from "../core/tools.ts";
import { loadTools } from "./load-tools.ts";
import { placeTools } from "./tool-set.ts";
import type { Problem } from "./problem.ts";
import { quote } from "./printable.ts";
import type { SuiteFile, TestFile } from "./schema.ts";
import type { Variables } from "./variables.ts";
import type { YamlSource } from "./yaml-source.ts";

export interface SuitePlace {
  folder: string;
  /** By the name under which the suite refers to them. */
  tools: ReadonlyMap<string, ToolSet>;
}

export function surroundingsOf(
  test: TestFile,
  defaults: SuiteFile["defaults"],
  { folder, tools }: SuitePlace,
): { environment?: Record<string, string>; options?: RunOptions } {
  const environment = { ...declared(defaults), ...declared(test) };
  const named = test.tools ?? defaults.tools;
  const toolSet = typeof named === "string" ? tools.get(named) : named && placeTools(named, folder);
  const { workspace_fixture: fixture, collect } = test.task;
  const workspace: WorkspaceOptions = {
    ...(fixture != null && { fixture: fixturePath(folder, fixture) }),
    ...(collect && { collect }),
  };
  const options: RunOptions = {
    ...((test.strict ?? defaults.strict) && { strict: true }),
    ...((test.canary ?? defaults.canary) && { canary: true }),
    ...(toolSet && { tools: toolSet }),
    ...(Object.keys(workspace).length > 0 && { workspace }),
  };
  return {
    ...(Object.keys(environment).length > 0 && { environment }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

/** Each file of tools once, however many tests use it. Problems name it as the suite's own file is named. */
export async function loadToolFiles(
  suite: SuiteFile,
  source: YamlSource,
  folder: string,
  variables: Variables = {},
): Promise<Map<string, ToolSet>> {
  const sets = new Map<string, ToolSet>();
  for (const name of new Set(toolFiles(suite).map((named) => named.name))) {
    const displayName = join(dirname(source.file), name);
    sets.set(name, await loadTools(resolve(folder, name), { variables, displayName }));
  }
  return sets;
}

export function findMissingTools(suite: SuiteFile, source: YamlSource, folder: string): Problem[] {
  return toolFiles(suite).flatMap(({ name, path }): Problem[] => {
    if (existsSync(resolve(folder, name))) return [];
    const hint = "the path is taken from the folder of this file";
    return [{ file: source.file, ...source.valueAt(path), message: `there is no file ${quote(name)}`, hint }];
  });
}

/** The files that a suite names, and where. */
function toolFiles({ defaults, tests }: SuiteFile): { name: string; path: (string | number)[] }[] {
  return [
    { name: defaults.tools, path: ["defaults", "tools"] },
    ...tests.map(({ tools }, index) => ({ name: tools, path: ["tests", index, "tools"] })),
  ].flatMap(({ name, path }) => (typeof name === "string" ? [{ name, path }] : []));
}

/** Document 000, "Secrets": passed via `context.environment`, not in `task.description`. Other variables may be told. */
export function findTold({ defaults, tests }: SuiteFile, source: YamlSource): Problem[] {
  return tests.flatMap((test, index): Problem[] => {
    const secrets = Object.entries({ ...defaults.secrets, ...test.secrets }).map(([name, value]) => ({
      name,
      value,
    }));
    const told = secrets.find(
      (secret) => createRedactor([secret]).text(test.task.description) !== test.task.description,
    );
    if (told === undefined) return [];
    const position = source.valueAt(["tests", index, "task", "description"]);
    const message = `the description holds the value of ${quote(told.name)}, which is a secret`;
    const hint = "agents find secrets in their environment; remove it from the text";
    return [{ file: source.file, ...position, message, hint }];
  });
}

export function findMissingFixtures({ tests }: SuiteFile, source: YamlSource, folder: string): Problem[] {
  return tests.flatMap((test, index): Problem[] => {
    const { workspace_fixture: fixture } = test.task;
    if (fixture == null) return [];
    const found = statSync(fixturePath(folder, fixture), { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return [];
    const position = source.valueAt(["tests", index, "task", "workspace_fixture"]);
    const hint = "the path is taken from the folder of this file, or from the current directory";
    const message = found
      ? `${quote(fixture)} is not a directory`
      : `there is no directory ${quote(fixture)}`;
    return [{ file: source.file, ...position, message, hint }];
  });
}

function fixturePath(folder: string, fixture: string): string {
  const beside = resolve(folder, fixture);
  return existsSync(beside) ? beside : resolve(fixture);
}

function declared({
  environment,
  secrets,
}: Pick<TestFile, "environment" | "secrets">): Record<string, string> {
  return { ...environment, ...secrets };
}
