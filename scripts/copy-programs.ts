// Copies programs in other languages from the sources of the package into `dist`, beside the compiled code that reads them. Part of
// `npm run build`.
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../packages/proctor", import.meta.url));

for (const path of readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" })) {
  if (/\.(?:py|sh|cjs)$/.test(path)) cpSync(join(folder, "src", path), join(folder, "dist", path));
}
