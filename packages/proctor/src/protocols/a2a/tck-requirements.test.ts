// Holds tck-requirements.md to the tests that it names, and to the kit's own count of its requirements.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { rows } from "../../../test/support/markdown.ts";
import { NAMED, titleProblem } from "../../../test/support/named-test.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const table = rows(readFileSync(new URL("tck-requirements.md", import.meta.url), "utf8"));

describe("the list of the TCK's requirements", () => {
  it("has all of them, once: 114 that must, 11 that should, 4 that may", () => {
    const ids = table.map(([id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const count = (level: string): number => table.filter((row) => row[2] === level).length;
    expect([table.length, count("must"), count("should"), count("may")]).toEqual([129, 114, 11, 4]);
  });

  it("says of each in which section it stands, whether the kit tests it, and what Proctor does", () => {
    for (const row of table) {
      expect(row, row.join(" | ")).toHaveLength(6);
      const [id = "", section = "", , kit = "", does = ""] = row;
      expect(id).toMatch(/^[A-Z]+(?:_JSON)?(?:-[A-Z]+)+-\d{3}a?$/);
      expect(section).toMatch(/^\d+(?:\.\d+)*$/);
      expect(["tests it", "does not"]).toContain(kit);
      expect(does).not.toBe("");
    }
    expect(table.filter(([, , , kit]) => kit === "does not")).toHaveLength(25);
  });

  it.each(table.map(([id = "", , , , , tests = ""]) => [id, tests] as const))(
    "names tests that exist for %s",
    (_id, tests) => {
      for (const part of tests.split("<br>")) {
        const [, file = "", title = ""] = NAMED.exec(part) ?? [];
        expect(titleProblem(here, file, title), part).toBeUndefined();
      }
    },
  );
});
