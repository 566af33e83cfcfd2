// The path of a file that was named on the command line: as it was typed where that is enough, because messages show it.
import { resolve } from "node:path";

export function pathOf(file: string, cwd: string): string {
  return cwd === process.cwd() ? file : resolve(cwd, file);
}
