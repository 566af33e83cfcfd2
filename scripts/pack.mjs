// Before `npm pack` and `npm publish`, copies the files of the repository's root that belong to the package into its folder. Afterwards
// removes them again. Run `node pack.mjs before|after` in the folder of a package.
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const isMain = process.env.npm_package_name === "proctor";
const parts = isMain ? ["LICENSE", "README.md", "docs"] : ["LICENSE"];

for (const part of parts) {
  if (process.argv[2] === "after") rmSync(part, { recursive: true, force: true });
  else if (existsSync(join(root, part))) cpSync(join(root, part), part, { recursive: true });
}
