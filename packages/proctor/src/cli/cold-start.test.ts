// Every command pays for what the program loads before it knows which command it is. This keeps that list short.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const STATIC_IMPORT = /^(?:import|export)(?!\s+type\b)[^"']*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"/gm;

/** How many commands there are. */
const COMMANDS = readdirSync(new URL("commands", import.meta.url)).filter(
  (name) => !name.endsWith(".test.ts") && name !== "define-command.ts",
).length;

/** Everything a module loads with it, dynamic imports aside. */
function closure(entry: string): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (url: URL): void => {
    if (files.has(url.pathname)) return;
    files.add(url.pathname);
    for (const [, named, bare] of readFileSync(url, "utf8").matchAll(STATIC_IMPORT)) {
      const target = named ?? bare ?? "";
      if (target.startsWith(".")) visit(new URL(target, url));
      else packages.add(target);
    }
  };
  visit(new URL(entry, import.meta.url));
  return { files, packages };
}

test("the entry of the program loads nothing but itself, so that --version costs next to nothing", () => {
  const { files, packages } = closure("start.ts");

  expect([...files].map((file) => file.slice(file.lastIndexOf("/") + 1)).sort()).toEqual([
    "main.ts",
    "start.ts",
    "version.ts",
  ]);
  expect([...packages]).toEqual(["node:fs"]);
});

test("the tree of commands loads commander and nothing heavy", () => {
  const { files, packages } = closure("program.ts");

  expect([...packages].sort()).toEqual(["commander", "node:fs"]);
  // A command is its definition and its flags.
  const others = [...files].filter((file) => !/\/cli\/(?:commands\/|actions\/\w+\/flags\.ts)/.test(file));
  expect(others.length).toBeLessThan(12);
  expect(files.size - others.length).toBeLessThanOrEqual(2 * COMMANDS);
});

test("what a command on SQLite loads has nothing of PostgreSQL", () => {
  const { files, packages } = closure("compose/local-hub.ts");

  expect([...files].filter((file) => /\/(?:stores\/postgres|dispatch\/pg-boss)\//.test(file))).toEqual([]);
  expect([...packages]).not.toContain("pg");
  expect([...packages]).not.toContain("pg-boss");
});

test("what a command loads for a hub elsewhere has no store, no engine and no protocol", () => {
  const { files, packages } = closure("compose/open-hub.ts");

  expect([...files].filter((file) => /\/src\/(?:stores|engine|protocols|environments)\//.test(file))).toEqual(
    [],
  );
  expect([...packages].filter((name) => !name.startsWith("node:"))).toEqual([]);
});
