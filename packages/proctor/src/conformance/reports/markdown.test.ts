import { describe, expect, it } from "vitest";
import {
  compared,
  documentAround,
  documentOf,
  EVERYTHING,
  result,
} from "../../../test/support/conformance/documents.ts";
import { HOSTILE, LONG } from "../../../test/support/reporters/results.ts";
import { markdownReport } from "./markdown.ts";

const TAGS = /<\/?(?:br|code|pre|details|summary)>/g;
const ENTITIES = /&#\d+;/g;
/** How the lines of a report may begin. */
const BEGINNINGS =
  /^(?:$|\*\*|<|#### ✗ <code>|- <code>|→ |expected: <code>|got: <code>|disputed: <code>|(?:must|should|may), |since <code>|checked |Left out, )/;

describe("Markdown of conformance", () => {
  it("has the verdict, each failure with what it takes to see it again, and the rest folded away", () => {
    const text = markdownReport(compared());
    const [head = "", , , , , failure = ""] = text.split("\n\n");
    expect(head).toBe(
      [
        "**A2A 1.0 conformance: 2 failed**<br>",
        "<code>a2a+http&#58;//127.0.0.1&#58;9000</code> over http: 2 passed, 2 failed, 1 warning, 2 advice, 1 disputed, 1 unevaluated<br>",
        "since <code>base.json</code>: 1 known failure, 1 new, 1 fixed<br>",
        "checked 2026-01-02T03&#58;04&#58;05.678Z with Proctor 0.1.0",
      ].join("\n"),
    );
    expect(failure).toBe('got: <code>{"code"&#58;-32603,"message"&#58;"Internal error"}</code>');
    expect(text).toContain(
      "#### ✗ <code>a2a.task.unknown</code> a task that does not exist is answered with TaskNotFoundError (known)\n\nmust, section 3.3.2\n\n<code>the error has another code</code>\n\nexpected: ",
    );
    expect(text).toMatch(/^<pre>curl -sS -X POST .*<\/pre>$/m);
    expect(text).toContain("\n→ answer with code -32001\n");
    for (const title of ["Warnings: 1", "Unevaluated: 1", "Disputed: 1", "Advice: 2", "Passed: 2"])
      expect(text).toContain(`<details><summary>${title}</summary>`);
    expect(text).toContain("<code>the status is 200</code><br><code>section 9.5 says 200</code>");
  });

  it("has nothing but the verdict and a list where every rule is kept", () => {
    const text = markdownReport(documentOf([result({ id: "a.b" }, "pass")]));
    expect(text).toMatch(/^\*\*A2A 1\.0 conformance: conformant\*\*/);
    expect(text).not.toContain("✗");
  });

  it("is only text where the agent said it", () => {
    for (const said of HOSTILE) {
      const text = markdownReport(documentAround(said));
      const words = text
        .replaceAll(TAGS, "")
        .replaceAll(ENTITIES, "")
        .replaceAll(/^\*\*|\*\*$/gm, "");
      expect(words.replaceAll("#### ✗", "")).not.toMatch(/[<>`*_~|[\]@$\\#]|www\.|:\/\//);
      for (const line of text.split("\n")) expect(line).toMatch(BEGINNINGS);
    }
  });

  it("fits into a comment, and says what was left out", () => {
    const many = Array.from({ length: 500 }, (_, index) =>
      result({ id: `a.b.${index}` }, "fail", { reason: `${"<".repeat(500)}\nmend it` }),
    );
    const text = markdownReport(documentOf([...many, ...EVERYTHING]));
    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/Left out, because .* only: \d+ failed, 1 warning, .*\.\n$/);
    expect(markdownReport(documentAround(LONG)).length).toBeLessThan(65_536);
  });
});
