// Holds README.md, "Sentence by sentence", to the tests it names: each exists under its title, each rule of conformance is
// one, and no section of document 000 is left out.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rows, section } from "../../../test/support/markdown.ts";
import { RULES } from "./conform/rules.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const program = fileURLToPath(new URL("../../../", import.meta.url));
const checkout = fileURLToPath(new URL("../../../../../", import.meta.url));
const table = rows(section(readFileSync(join(here, "README.md"), "utf8"), "Sentence by sentence"));

/** The headings of the document that have a text of their own, and how many things they say at least. */
const SECTIONS: [heading: string, sentences: number][] = [
  ["Overview", 1],
  ["Design Goals", 4],
  ["Transport", 12],
  ["ATP Request", 1],
  ["Request Fields", 17],
  ["ATP Response", 1],
  ["Response Fields", 7],
  ["Status Values", 5],
  ["Artifact Types", 6],
  ["ATP Event", 1],
  ["Event Fields", 6],
  ["Event Types", 7],
  ["JSON Schema for ATP Request", 8],
  ["JSON Schema for ATP Response", 6],
  ["JSON Schema for ATP Event", 3],
  ["Minimal Agent Implementation (Python)", 2],
  ["HTTP Endpoint Implementation (FastAPI)", 3],
  ["Semantic Versioning", 3],
  ["Compatibility Rules", 4],
  ["Version Negotiation", 2],
  ["Error Response", 1],
  ["Error Codes (Optional Extension)", 1],
  ["Standard Error Codes", 7],
  ["Secrets", 3],
  ["Sandboxing", 3],
  ["Input Validation", 3],
  ["Appendix: Tool Protocol", 3],
];

/** What is not done, or cannot be shown. A new entry here is a decision. */
const NOT_DONE: string[] = [];

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
      const named = testsIn(tests);
      const other = tests
        .split("<br>")
        .filter((part) => !/^(?:`[^`]+` › ".*"|rule `[\w.]+`|not done: .*)$/.test(part));
      expect(other).toEqual([]);
      const rules = Array.from(tests.matchAll(/\brule `([\w.]+)`/g), ([, id = ""]) => id);
      expect(named.length + rules.length).toBeGreaterThan(0);
      for (const [file, title] of named) expect(titleProblem(file, title)).toBeUndefined();
      for (const id of rules) expect(RULES.map((rule) => rule.id)).toContain(id);
    },
  );

  it("says of nothing else that it is not done", () => {
    const undone = table.filter(([, , , tests = ""]) => tests.includes("not done"));
    expect(undone.map(([, sentence]) => sentence)).toEqual(NOT_DONE);
  });

  it("would notice a test that is gone", () => {
    expect(testsIn('`a.test.ts` › "one"<br>rule `x`<br>`src/b.case.ts` › ""Two": %s is "it""')).toEqual([
      ["a.test.ts", "one"],
      ["src/b.case.ts", '"Two": %s is "it"'],
    ]);
    expect(titleProblem("gone.test.ts", "x")).toMatch(/there is no/);
    expect(titleProblem("wire.test.ts", "keeps fields of a later")).toMatch(/has no test/);
    // Titles of groups are not titles of tests.
    expect(titleProblem("wire.test.ts", "the strict profile")).toMatch(/has no test/);
    expect(titleProblem("wire.test.ts", "keeps fields of a later minor version")).toBeUndefined();
  });
});

it("a rule of conformance stands for two tests that exist", () => {
  expect(titleProblem("conform/conformance.test.ts", "fails $id over $transport")).toBeUndefined();
  expect(titleProblem("conform/conformance.test.ts", "passes every rule over %s")).toBeUndefined();
});

function testsIn(cell: string): [file: string, title: string][] {
  return cell.split("<br>").flatMap((part): [string, string][] => {
    const [, file, title] = /^`([^`]+)` › "(.*)"$/.exec(part.trim()) ?? [];
    return file === undefined || title === undefined ? [] : [[file, title]];
  });
}

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
