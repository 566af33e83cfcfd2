// Holds README.md, "Sentence by sentence", to the tests it names: each exists under its title, each rule of conformance is one, and
// no section of document 002 is left out.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { rows, section } from "../../../test/support/markdown.ts";
import { RULES } from "./conform/rules.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const program = fileURLToPath(new URL("../../../", import.meta.url));
const checkout = fileURLToPath(new URL("../../../../../", import.meta.url));
const table = rows(section(readFileSync(join(here, "README.md"), "utf8"), "Sentence by sentence"));

/** The headings of the document that have a text of their own, and how many things they say at least. */
const SECTIONS: [heading: string, sentences: number][] = [
  ["Overview", 3],
  ["Communication Flow", 3],
  ["Request Format", 1],
  ["Request Fields", 6],
  ["Example Request Sequence", 1],
  ["Response Format", 1],
  ["Response Fields", 3],
  ["Response Examples", 1],
  ["Agent Lifecycle", 3],
  ["Reading Input Correctly", 2],
  ["Writing Output Correctly", 1],
  ["Logging (stderr)", 2],
  ["Complete Example", 2],
  ["Error Handling", 6],
  ["SDK Support", 1],
  ["Minimal Python Agent", 1],
  ["Legacy Format Support", 1],
];

describe("the table of sentences", () => {
  it.each(SECTIONS)('has what "%s" says, at least %i things', (heading, sentences) => {
    expect(table.filter(([cell]) => cell === heading).length).toBeGreaterThanOrEqual(sentences);
  });

  it("names no other section, says who is bound, and has four cells in every row", () => {
    const headings = new Set(SECTIONS.map(([heading]) => heading));
    for (const row of table) {
      expect(row, row.join(" | ")).toHaveLength(4);
      expect(headings).toContain(row[0]);
      expect(["platform", "agent", "both"], row[1]).toContain(row[2]);
    }
  });

  it.each(table.map((row): [sentence: string, tests: string] => [row[1] ?? "", row[3] ?? ""]))(
    "names tests that exist: %s",
    (_sentence, tests) => {
      const parts = tests.split("<br>");
      for (const part of parts) {
        const [, rule] = /^rule `([\w.]+)`$/.exec(part) ?? [];
        const [, file, title] = /^`([^`]+)` › "(.*)"$/.exec(part) ?? [];
        if (rule !== undefined) expect(RULES.map(({ id }) => id)).toContain(rule);
        else expect(titleProblem(file ?? "", title ?? ""), part).toBeUndefined();
      }
    },
  );

  it("uses every rule of conformance", () => {
    const cells = table.map((row) => row[3]).join("\n");
    const unused = RULES.filter(({ id }) => !cells.includes(`rule \`${id}\``)).map(({ id }) => id);
    expect(unused).toEqual([
      "term.answer.useful",
      "term.request.unknown_fields",
      "term.invalid.complete",
      "term.invalid.exit",
    ]);
  });

  it("would notice a test that is gone", () => {
    expect(titleProblem("gone.test.ts", "x")).toMatch(/there is no/);
    expect(titleProblem("alarm.test.ts", "rings")).toMatch(/has no test/);
    // Titles of groups are not titles of tests.
    expect(titleProblem("alarm.test.ts", "an alarm")).toMatch(/has no test/);
    expect(titleProblem("alarm.test.ts", "leaves no timer behind")).toBeUndefined();
  });
});

it("a rule of conformance stands for two tests that exist", () => {
  expect(titleProblem("conform/conformance.test.ts", "fails $id")).toBeUndefined();
  expect(titleProblem("conform/conformance.test.ts", "passes every rule")).toBeUndefined();
});

/** Paths are from this folder, or from that of the program (src/, test/), or from the checkout (sdk/). */
function pathOf(file: string): string {
  if (/^(?:src|test)\//.test(file)) return join(program, file);
  return join(file.startsWith("sdk/") ? checkout : here, file);
}

/** Undefined when the file has a test whose title is written so, with its placeholders. */
function titleProblem(file: string, title: string): string | undefined {
  const path = pathOf(file);
  if (!/\.(?:test|case)\.ts$/.test(file) || !existsSync(path)) return `there is no ${file}`;
  const literal = title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // Behind `it(` or `test(`, or behind the closing parenthesis of `.each(…)`.
  const call = new RegExp(`(?:\\b(?:it|test)|\\))\\(\\s*(["'\`])${literal}\\1,`);
  return call.test(readFileSync(path, "utf8")) ? undefined : `${file} has no test "${title}"`;
}
