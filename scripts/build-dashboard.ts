// Builds packages/dashboard into packages/proctor/dist/dashboard, compresses every file twice, and fails when a page weighs more than its
// budget. Part of `npm run build`.
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build, type Manifest, type Plugin } from "vite";
import { overBudget, pageWeights, type Weights } from "./dashboard-budget.ts";

const root = fileURLToPath(new URL("../packages/dashboard", import.meta.url));
const output = fileURLToPath(new URL("../packages/proctor/dist/dashboard", import.meta.url));
/** Smallest file in bytes that is compressed; a smaller one would save too little. */
const WORTH_BYTES = 500;
const QUALITY = 9;

/** uPlot formats numbers in the browser's language, and fails to load when that is not a valid tag (`en-US@posix`). The default always is. */
const anyLanguage: Plugin = {
  name: "any-language",
  transform(code, id) {
    if (!id.endsWith("uPlot.esm.js")) return null;
    if (!code.includes("nav.language"))
      throw new Error("uPlot no longer names the language here: look again");
    return { code: code.replace("nav.language", "undefined"), map: null };
  },
};

await build({
  root,
  plugins: [anyLanguage],
  base: "./",
  configFile: false,
  logLevel: "warn",
  build: {
    outDir: output,
    emptyOutDir: true,
    manifest: "manifest.json",
    target: "es2022",
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});

// The base address of the pages is that of the hub; index.html is below it, in `ui/`.
const page = join(output, "index.html");
writeFileSync(page, readFileSync(page, "utf8").replaceAll('"./assets/', '"ui/assets/'));

const gzipped = new Map<string, number>();
for (const name of readdirSync(output, { recursive: true, encoding: "utf8" })) {
  if (!/\.(?:js|css|svg)$/.test(name)) continue;
  const path = join(output, name);
  const bytes = readFileSync(path);
  const small = gzipSync(bytes, { level: 9 });
  gzipped.set(name.split("\\").join("/"), small.length);
  if (bytes.length < WORTH_BYTES) continue;
  writeFileSync(`${path}.gz`, small);
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
}

const manifestFile = join(output, "manifest.json");
const manifest = JSON.parse(readFileSync(manifestFile, "utf8")) as Manifest;
rmSync(manifestFile);
const weights: Weights = pageWeights(manifest, (name) => gzipped.get(name) ?? 0);
writeFileSync(join(output, "weights.json"), `${JSON.stringify(weights, null, 2)}\n`);
const problems = overBudget(weights);
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exitCode = 1;
}
