// Joins the built program and the libraries it loads into a few files: a command opens dozens of files instead of hundreds. Files that are
// found by their own address (programs, workers, documents) stay where the build puts them. Part of `npm run build`.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const dist = fileURLToPath(new URL("../packages/proctor/dist", import.meta.url));
const folder = `${dist}/program`;

rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  input: { start: `${dist}/cli/start.js` },
  platform: "node",
  // Libraries with native parts, or that look for files of their own.
  external: [/^libsql/, /^@lydell\//, /^dockerode/, /^ajv/],
  plugins: [
    {
      name: "own-address",
      // A module that was moved into a bundle still means its own place.
      transform(code, id) {
        if (!id.startsWith(dist) || !code.includes("import.meta.url")) return null;
        const place = JSON.stringify(relative(folder, id));
        return { code: code.replaceAll("import.meta.url", `new URL(${place}, import.meta.url).href`) };
      },
    },
  ],
});
const { output } = await bundle.write({ dir: folder, format: "esm" });
await bundle.close();
const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
writeFileSync(join(folder, "LICENSES.txt"), licensesOf(modules));

/** The libraries whose code was joined in, with the words under which they may be passed on. */
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
