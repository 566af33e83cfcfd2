// No source keeps what nobody uses: code that only its tests call, and an export that nobody imports.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { moduleUses } from "./support/module-uses.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const SOURCES = "packages/proctor/src";
const TESTS = /\.(?:test|case)\.ts$|^packages\/proctor\/test\//;
/** Files that users of the package import. */
const DOORS = new Set(["testing/index.ts", "testing/define-suite.ts"].map((file) => join(SOURCES, file)));
/** What a compiler wrote. */
const EXEMPT = /\/gen\//;

const files = ["packages/proctor/src", "packages/proctor/test", "bench", "scripts"].flatMap(typescriptIn);
const products = new Map(
  files.filter((file) => !TESTS.test(file)).map((file) => [file, moduleUses(file, join(root, file))]),
);
const used = new Set([...products.values()].flatMap(({ uses }) => [...uses]));

/** The exports that no other source imports. */
const unused = [...products].flatMap(([file, { exports, types, mentions }]) =>
  !file.startsWith(SOURCES) || DOORS.has(file) || EXEMPT.test(file) || used.has(`${file}#*`)
    ? []
    : [...exports]
        .filter((name) => !used.has(`${file}#${name}`))
        .map((name) => ({ file, name, isType: types.has(name), mentions: mentions.get(name) ?? 0 })),
);

it("no source has what only tests use", () => {
  // A name that its own file mentions again is alive there.
  const dead = unused.filter(({ mentions }) => mentions < 2);
  expect(dead.map(described), "remove what nobody uses").toEqual([]);
});

it("no source exports what nobody imports", () => {
  const imported = new Set(files.filter((file) => TESTS.test(file)).flatMap(importedNames));
  // Types are the words of what else a file exports.
  const needless = unused.filter(({ name, isType }) => !isType && !imported.has(name));
  expect(needless.map(described), 'remove "export"').toEqual([]);
});

function described({ file, name }: { file: string; name: string }): string {
  return `${file}: ${name}`;
}

function importedNames(file: string): string[] {
  const lists = readFileSync(join(root, file), "utf8").matchAll(
    /\bimport\b[^;(]*?\{([^}]*)\}|\{([^}]*)\} = await import/g,
  );
  return [...lists].flatMap(([, named, taken]) => (named ?? taken ?? "").match(/\w+/g) ?? []);
}

function typescriptIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"))
    .map((file) => join(folder, file));
}
