// Holds a protocol's README.md, "Sentence by sentence", to the tests it names: each exists under its title, each rule of conformance
// is one, and no section of the protocol's document is left out.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { rows, section } from "../../test/support/markdown.ts";
import { NAMED, titleProblem } from "../../test/support/named-test.ts";

export interface TracedDocument {
  /** How the document is called: "document 000". */
  name: string;
  /** The folder of the protocol; a `file:` URL. */
  folder: URL;
  /** The headings of the document that have a text of their own, and how many things they say at least. */
  sections: readonly [heading: string, sentences: number][];
  /** The rules of conformance, where the protocol has some. */
  conformance?: {
    rules: readonly { id: string }[];
    /** The rules that no sentence of the document asks for. */
    ownRules: readonly string[];
    /** The titles of the two tests that every rule has: of an agent that breaks it, and of one that keeps it. */
    ruleTests: readonly [fails: string, passes: string];
  };
}

export function describeTraceability(document: TracedDocument): void {
  const { folder, sections, conformance } = document;
  const rules = conformance?.rules ?? [];
  const here = fileURLToPath(folder);
  const table = rows(section(readFileSync(join(here, "README.md"), "utf8"), "Sentence by sentence"));

  describe(`the table of the sentences of ${document.name}`, () => {
    it.each(sections)('has a row for each statement of "%s", at least %i', (heading, sentences) => {
      expect(table.filter(([cell]) => cell === heading).length).toBeGreaterThanOrEqual(sentences);
    });

    it("names only sections of the document, says who is bound, and has four cells in every row", () => {
      const headings = new Set(sections.map(([heading]) => heading));
      for (const row of table) {
        expect(row, row.join(" | ")).toHaveLength(4);
        expect(headings).toContain(row[0]);
        expect(["platform", "agent", "both"], row[1]).toContain(row[2]);
      }
    });

    it.each(table.map(([heading = "", sentence = "", , tests = ""]) => [heading, sentence, tests] as const))(
      'names tests that exist for the sentence of "%s": %s',
      (_heading, _sentence, tests) => {
        for (const part of tests.split("<br>")) {
          const [, rule] = /^rule `([\w.]+)`$/.exec(part) ?? [];
          const [, file, title] = NAMED.exec(part) ?? [];
          if (rule !== undefined) expect(rules.map(({ id }) => id)).toContain(rule);
          else expect(titleProblem(here, file ?? "", title ?? ""), part).toBeUndefined();
        }
      },
    );

    it("is checked by something that notices a missing test", () => {
      const named = table.flatMap(([, , , tests = ""]) => tests.split("<br>"));
      const [, file = "", title = ""] = NAMED.exec(named.find((part) => NAMED.test(part)) ?? "") ?? [];
      expect(titleProblem(here, "gone.test.ts", "x")).toMatch(/there is no/);
      expect(titleProblem(here, file, title.slice(0, -1))).toMatch(/has no test/);
      expect(titleProblem(here, file, title)).toBeUndefined();
    });

    if (conformance === undefined) return;
    const { ownRules, ruleTests } = conformance;

    it("names every rule of conformance that a sentence asks for", () => {
      const cells = table.map((row) => row[3]).join("\n");
      const unused = rules.filter(({ id }) => !cells.includes(`rule \`${id}\``)).map(({ id }) => id);
      expect(unused).toEqual(ownRules);
    });

    it("does not take titles of groups for titles of tests", () => {
      expect(titleProblem(here, "conform/conformance.test.ts", GROUP)).toMatch(/has no test/);
    });

    it("may name a rule of conformance, because two tests stand behind each", () => {
      for (const title of ruleTests) {
        expect(titleProblem(here, "conform/conformance.test.ts", title)).toBeUndefined();
      }
    });
  });
}

const GROUP = "an agent that breaks one rule";
