// Writes the sources that are derived from other files: the gRPC messages of `proto/`, the types of `defineSuite`, and those of the
// dashboard's client. They are not committed. Part of `npm run build`, before the compiler.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { apiDocument } from "./api-document.ts";
import { API_TYPES, apiTypes } from "./api-types.ts";
import { suiteTypes, TYPES } from "./suite-types.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules/.bin");

// buf finds its plugin on the PATH.
execFileSync(process.execPath, [join(root, "node_modules/@bufbuild/buf/bin/buf"), "generate"], {
  cwd: root,
  env: { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}` },
  stdio: "inherit",
});
for (const [file, text] of [
  [TYPES, suiteTypes()],
  [API_TYPES, apiTypes(apiDocument().components.schemas)],
] as const) {
  mkdirSync(dirname(fileURLToPath(file)), { recursive: true });
  writeFileSync(file, text);
}
