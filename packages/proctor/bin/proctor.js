#!/usr/bin/env node
import { existsSync } from "node:fs";

const main = new URL("../dist/cli/main.js", import.meta.url);
if (!existsSync(main)) {
  console.error("proctor is not built yet.\n   run: npm run build");
  process.exit(2);
}
await import(main.href);
