import { describe, expect, it } from "vitest";
import {
  compared,
  documentAround,
  documentOf,
  EVERYTHING,
} from "../../../test/support/conformance/documents.ts";
import { HOSTILE } from "../../../test/support/reporters/results.ts";
import { htmlReport } from "./html.ts";

const tagsOf = (html: string): string[] =>
  Array.from(html.slice(html.indexOf("<body>")).matchAll(/<(\/?[a-z0-9]+)/gi), ([, tag = ""]) => tag);

describe("The page of conformance", () => {
  it("has the summary first, then failures, then all rules by group", () => {
    const html = htmlReport(compared());
    const parts = [
      "<h1>a2a+http://127.0.0.1:9000</h1>",
      '<p class="verdict fail">2 failed</p>',
      "since base.json: 1 known failure, 1 new, 1 fixed",
      "<h2>Failed <small>2</small></h2>",
      '<span class="known">known</span>',
      "must, section 3.3.2",
      '<p class="label">expected</p><pre tabindex="0">{&quot;code&quot;:-32001}</pre>',
      '<p class="label">reproduce</p><pre tabindex="0">curl -sS',
      "<details><summary>evidence</summary><pre>{",
      "<h2>Warnings <small>1</small></h2>",
      "<h2>Unevaluated <small>1</small></h2>",
      "<h2>Disputed <small>1</small></h2>",
      "disputed: section 9.5 says 200",
      "<h2>Advice <small>2</small></h2>",
      "<h2>All rules <small>11</small></h2>",
      "<code>a2a.card</code> <small>1 of 2 passed</small>",
      "<code>a2a.task</code> <small>0 of 5 passed</small>",
      "<code>a2a.http</code> <small>1 of 4 passed</small>",
    ];
    let at = 0;
    for (const part of parts) {
      const found = html.indexOf(part, at);
      expect(found, part).toBeGreaterThanOrEqual(at);
      at = found;
    }
  });

  it("has no script, loads nothing, and links only to itself", () => {
    const html = htmlReport(documentOf(EVERYTHING));
    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[^']+'/);
    expect(tagsOf(html)).not.toContain("script");
    expect(html).not.toMatch(/\ssrc=|url\(|@import/);
    for (const [, target] of html.matchAll(/href="([^"]*)"/g)) expect(target).toMatch(/^#a2a\./);
  });

  it("is only text where the agent said it", () => {
    const plain = tagsOf(htmlReport(documentAround("text")));
    const known = new Set(plain);
    for (const said of HOSTILE) {
      const tags = tagsOf(htmlReport(documentAround(said)));
      expect(tags.filter((tag) => !known.has(tag))).toEqual([]);
      if (!said.includes("\n") && said !== "") expect(tags).toEqual(plain);
    }
  });
});
