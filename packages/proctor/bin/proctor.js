#!/usr/bin/env node
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../dist/program/start.cjs", import.meta.url));
if (!existsSync(program)) {
  console.error("proctor is not built yet.\n   run: npm run build");
  process.exit(2);
}
createRequire(import.meta.url)("./load-program.cjs").loadProgram(program);
