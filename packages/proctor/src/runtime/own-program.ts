// How one of Proctor's own programs is started: it is JavaScript when built. In a checkout it is TypeScript, which Node.js may need help to read.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Variable that names a folder with a checkout's programs as JavaScript. It spares tests the loader, which takes several times as long. */
export const READY_PROGRAMS = "PROCTOR_TEST_PROGRAMS";

/** Returns the arguments with which Node.js starts the program `name`, which lies next to the module at the address `from`. */
export function ownProgram(name: string, from: string): string[] {
  const place = (extension: string): string => fileURLToPath(new URL(`./${name}.${extension}`, from));
  if (from.endsWith(".js")) return [place("js")];
  const ready = process.env[READY_PROGRAMS];
  if (ready !== undefined) return [join(ready, `${name}.js`)];
  return ["--import", pathToFileURL(createRequire(from).resolve("tsx")).href, place("ts")];
}
