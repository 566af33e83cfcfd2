// The suites in a folder, which also holds files that they use: what cannot be a suite, and what another file of the
// folder includes, is left out.
import { readdir, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import { isJsonObject } from "../../../core/json.ts";
import { isDeclarative } from "../../../suites/declarative/load-declarative.ts";
import { readText } from "../../../runtime/yaml/read-text.ts";
import { parseYaml } from "../../../runtime/yaml/yaml-source.ts";

const YAML = /\.ya?ml$/i;
const MODULE = /\.suite\.m?[jt]s$/i;
const HIDDEN = /[\\/](?:node_modules|\.[^\\/]+)[\\/]/;

/** Resolves with the paths of the suites. `name` is the folder as it was typed. */
export async function findSuites(path: string, name: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && (YAML.test(entry.name) || MODULE.test(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !HIDDEN.test(file.slice(path.length)))
    .sort();
  const looks = await Promise.all(files.map(look));
  const included = new Set(looks.flatMap(({ includes }) => includes));
  const suites: string[] = [];
  for (const { file, isSuite } of looks) {
    if (isSuite && !included.has(await realpath(file))) suites.push(file);
  }
  if (suites.length > 0) return suites;
  const next =
    "suites are files that end in .yaml or .yml, or in .suite.mjs, .suite.js, .suite.ts or .suite.mts";
  throw new ProctorError("FILE_UNREADABLE", `${name}  holds no suite\n${next}`);
}

interface Look {
  file: string;
  isSuite: boolean;
  /** Real paths of the files that this one includes. */
  includes: string[];
}

async function look(file: string): Promise<Look> {
  if (!YAML.test(file)) return { file, isSuite: true, includes: [] };
  let value: unknown;
  try {
    ({ value } = parseYaml(file, await readText(file), null));
  } catch {
    // What is wrong with the file is reported when it is loaded.
  }
  if (value === undefined) return { file, isSuite: true, includes: [] };
  if (!isJsonObject(value)) return { file, isSuite: false, includes: [] };
  const names = Array.isArray(value["include"]) ? value["include"] : [];
  const includes = names
    .filter((name) => typeof name === "string")
    .map((name) => realpath(resolve(dirname(file), name)).catch(() => ""));
  const isSuite = "test_suite" in value || "tests" in value || isDeclarative(value);
  return { file, isSuite, includes: await Promise.all(includes) };
}
