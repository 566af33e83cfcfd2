// Reads one file of a suite: YAML, or a module that exports the suite as an object.
import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject } from "../../core/json.ts";
import { readText } from "../../runtime/yaml/read-text.ts";
import type { Variables } from "../../runtime/yaml/variables.ts";
import { parseYaml } from "../../runtime/yaml/yaml-source.ts";
import { objectSource } from "./object-source.ts";
import { yamlSource, type Source } from "./source.ts";

const MODULE = /\.[cm]?[jt]s$/i;
const TYPESCRIPT = /ts$/i;

/**
 * `null` for the variables leaves `${NAME}` as text. Throws FILE_UNREADABLE when there is nothing to read, SUITE_INVALID when a module
 * does not load.
 */
export async function readSource(file: string, shown: string, variables: Variables | null): Promise<Source> {
  const folder = dirname(resolve(file));
  if (MODULE.test(file))
    return objectSource(await readModule(file, shown), { file: shown, folder, variables });
  const source = parseYaml(shown, await readText(file, shown), variables);
  if (source.value === undefined && source.problems.length === 0) {
    source.problems.push({ file: shown, line: 1, col: 1, message: "the file is empty" });
  }
  return yamlSource(source, folder);
}

async function readModule(file: string, shown: string): Promise<unknown> {
  const found = await stat(file).catch(() => undefined);
  // Throws with the reason in words when it cannot be read.
  if (!found?.isFile()) await readText(file, shown);
  const url = pathToFileURL(resolve(file));
  // Node keeps a loaded module for ever, so a changed one gets another URL.
  url.searchParams.set("changed", String(found?.mtimeMs ?? 0));
  let module: unknown;
  try {
    module = await import(/* @vite-ignore */ url.href);
  } catch (error) {
    throw loadError(error, file, shown);
  }
  const exported = isJsonObject(module) ? (module["default"] ?? module["suite"]) : undefined;
  if (exported !== undefined) return exported;
  const next = "export it: export default defineSuite({ … })";
  throw new ProctorError("SUITE_INVALID", `${shown}  exports no suite\n   ${next}`, {
    details: { file: shown },
  });
}

function loadError(error: unknown, file: string, shown: string): ProctorError {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const options = { details: { file: shown }, cause: error };
  if (TYPESCRIPT.test(file) && (code === "ERR_UNKNOWN_FILE_EXTENSION" || error instanceof SyntaxError)) {
    const what = `this Node.js (${process.version}) does not run TypeScript`;
    const next =
      "use Node.js 22.18 or later, write the suite as .mjs, or start with: NODE_OPTIONS='--import tsx'";
    if (!("typescript" in process.features && process.features.typescript)) {
      return new ProctorError("SUITE_INVALID", `${shown}  ${what}\n   ${next}`, options);
    }
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new ProctorError("SUITE_INVALID", `${shown}  the module does not load: ${message}`, options);
}
