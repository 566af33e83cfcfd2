#!/usr/bin/env node
import { existsSync } from "node:fs";

const program = new URL("../dist/program/start.js", import.meta.url);
if (!existsSync(program)) {
  console.error("proctor is not built yet.\n   run: npm run build");
  process.exit(2);
}
await import(program.href);
