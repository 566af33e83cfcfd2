// Programs in other languages that are started or sent somewhere as text. They are files next to the code that uses them; the build
// copies them into `dist`.
import { readFileSync } from "node:fs";

/** Returns the text of a program. `module` is the `import.meta.url` of the caller; `path` is relative to it. */
export function readProgram(path: string, module: string): string {
  return readFileSync(new URL(path, module), "utf8");
}
