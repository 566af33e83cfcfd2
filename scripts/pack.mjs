// Before `npm pack` and `npm publish`: puts what stands at the root of the repository, and belongs to the package, into it.
// After it: takes it out again. `node pack.mjs before|after`, in the folder of a package.
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
