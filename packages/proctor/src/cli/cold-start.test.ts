// Every command pays for what the program loads before it knows which command it is. This keeps that list short.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const STATIC_IMPORT = /^(?:import|export)(?!\s+type\b)[^"']*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"/gm;

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
  expect(files.size).toBeLessThan(40);
});
