// Removes what earlier builds left in `dist` of every package. Part of `npm run build`, after the compiler. Removing all of `dist` would
// make each build slow, because the compiler writes only what has changed.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { staleOutput } from "./stale-output.ts";

for (const folder of ["packages/proctor", "sdk/typescript", "sdk/typescript/term"]) {
  for (const path of staleOutput(fileURLToPath(new URL(`../${folder}`, import.meta.url)))) {
    rmSync(path, { recursive: true, force: true });
  }
}
