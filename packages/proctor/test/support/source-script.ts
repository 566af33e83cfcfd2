// A script that a test runs in a process of its own, importing Proctor's modules. Where the sources are built it imports what was built, and Node needs no
// loader of TypeScript, which costs more than most of these scripts.
import { fileURLToPath, pathToFileURL } from "node:url";
import { builtFile, USES_BUILT } from "./built-sources.ts";

/** Arguments of Node that run `script` as a module. */
export function scriptArgs(script: string): string[] {
  const loader = USES_BUILT ? [] : ["--import", import.meta.resolve("tsx")];
  return [...loader, "--input-type=module", "-e", script];
}

/** The module at `path`, seen from the test file at `from`, as a literal for an import in the script. */
export function moduleLiteral(path: string, from: string): string {
  const source = new URL(path, from);
  const built = USES_BUILT ? builtFile(fileURLToPath(source)) : undefined;
  return JSON.stringify(built === undefined ? source.href : pathToFileURL(built).href);
}
