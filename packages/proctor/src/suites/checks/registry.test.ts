// Keeps the list of checks complete: a check that nobody lists would silently not exist.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkTypes } from "./registry.ts";

const folder = new URL(".", import.meta.url);

test("the list of checks names every file of its folder", () => {
  const list = readFileSync(new URL("registry.ts", folder), "utf8");
  const files = readdirSync(folder).filter((name) => /^(?!registry)[\w-]+\.ts$/.test(name));
  expect(files.filter((name) => !list.includes(`from "./${name}"`))).toEqual([]);
  expect(files.length).toBeGreaterThan(30);
});

test("the list of checks has each name once", () => {
  expect(checkTypes()).toHaveLength(new Set(checkTypes()).size);
});
