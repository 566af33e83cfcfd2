// The scripts that play simulated users: in the suite, or in files, each of which is read once however many tests name it.
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import type { LlmScript } from "../../core/llm-script.ts";
import { quote } from "../../core/printable.ts";
import type { Problem } from "../../runtime/yaml/problem.ts";
import type { Variables } from "../../runtime/yaml/variables.ts";
import { loadLlmScript } from "../load-llm-script.ts";
import { inside, reporter, type Spot } from "./context.ts";
import type { TestFile } from "./schema.ts";
import { problemsIn } from "./named-file.ts";

type Find = (test: TestFile, spot: Spot) => LlmScript | undefined;

/** Loads the files that the tests name; what is wrong with them is added to the problems. */
export async function loadUserScripts(
  tests: readonly { test: TestFile; spot: Spot }[],
  variables: Variables,
  problems: Problem[],
): Promise<Find> {
  const loaded = new Map<string, LlmScript | undefined>();
  for (const { test, spot } of tests) {
    const script = test.user?.script;
    if (typeof script !== "string") continue;
    const file = resolve(spot.source.folder, script);
    if (!existsSync(file)) {
      const hint = "the path is taken from the folder of this file";
      reporter(inside(spot, "user", "script"))([], `there is no file ${quote(script)}`, hint);
    } else if (!loaded.has(file)) {
      const displayName = isAbsolute(script) ? script : join(dirname(spot.source.file), script);
      loaded.set(file, await load(file, displayName, variables, problems));
    }
  }
  return ({ user }, { source }) => {
    const script = user?.script;
    return typeof script === "string" ? loaded.get(resolve(source.folder, script)) : script;
  };
}

async function load(
  file: string,
  displayName: string,
  variables: Variables,
  problems: Problem[],
): Promise<LlmScript | undefined> {
  try {
    return await loadLlmScript(file, { variables, displayName });
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    problems.push(...problemsIn(error, displayName));
    return undefined;
  }
}
