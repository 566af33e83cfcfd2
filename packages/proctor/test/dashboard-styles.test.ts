// Styles of pages are loaded with their page and stay: a class that two pages style would change its looks with the way somebody came.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const PAGES = fileURLToPath(new URL("../../dashboard/src/pages", import.meta.url));

it("The styles of two pages of the dashboard never begin with the same class", () => {
  const owners = new Map<string, Set<string>>();
  const files = readdirSync(PAGES, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((name) => name.endsWith(".css"))) {
    for (const name of leadingClasses(readFileSync(join(PAGES, file), "utf8")))
      owners.set(name, (owners.get(name) ?? new Set()).add(file));
  }
  expect(owners.size).toBeGreaterThan(100);
  expect([...owners].filter(([, pages]) => pages.size > 1)).toEqual([]);
});

function leadingClasses(css: string): string[] {
  const selectors = css.replaceAll(/\/\*.*?\*\//gs, "").matchAll(/([^{}]+)\{/g);
  return [...selectors].flatMap(([, list = ""]) =>
    list.split(",").flatMap((selector) => /^\.([\w-]+)/.exec(selector.trim())?.[1] ?? []),
  );
}
