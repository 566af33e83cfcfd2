// Joins the built program and the libraries that it loads into a few files, so that a command opens dozens of files instead of hundreds. They
// are CommonJS, because V8's compiled code can only be kept for CommonJS (bin/load-program.cjs). Files that are found by their own address
// (programs, workers, documents) stay where the build puts them. Part of `npm run build`.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { EXTERNAL } from "./external.ts";
import { ownAddress } from "./own-address.ts";

const dist = fileURLToPath(new URL("../packages/proctor/dist", import.meta.url));
const folder = `${dist}/program`;

rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  input: { start: `${dist}/cli/start.js` },
  platform: "node",
  external: EXTERNAL,
  plugins: [ownAddress(dist, folder)],
});
const { output } = await bundle.write({
  dir: folder,
  format: "cjs",
  entryFileNames: "[name].cjs",
  chunkFileNames: "[name]-[hash].cjs",
});
await bundle.close();
const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
writeFileSync(join(folder, "LICENSES.txt"), licensesOf(modules));

/** Returns the name, version and license text of each library whose code is in the bundle. */
function licensesOf(paths: readonly string[]): string {
  const packages = new Set(
    paths.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  return [...packages].toSorted().map(licenseOf).join("\n\n----\n\n");
}

function licenseOf(path: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license: string;
  };
  const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : readFileSync(join(path, file), "utf8");
  return `${name} ${version} (${license})\n\n${text.trim()}`;
}
