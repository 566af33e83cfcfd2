import { describe, expect, it } from "vitest";
import {
  documentAround,
  documentOf,
  EVERYTHING,
  result,
} from "../../../test/support/conformance/documents.ts";
import { HOSTILE } from "../../../test/support/reporters/results.ts";
import { parseXml } from "../../../test/support/xml.ts";
import type { ConformDocument } from "../document.ts";
import { badgeJsonReport } from "./badge-json.ts";
import { badgeReport } from "./badge.ts";
import { summaryReport } from "./summary.ts";

const kept = [result({ id: "a.b" }, "pass")];
const broken = result({ id: "a.c" }, "fail", { reason: "seen" });
const idle = result({ id: "a.d" }, "unevaluated", { reason: "no occasion" });

describe("The badge of an agent", () => {
  it.each<[string, ConformDocument, string, string]>([
    ["keeps every rule", documentOf(kept), "conformant", "brightgreen"],
    ["breaks rules", documentOf(EVERYTHING), "2 failed", "red"],
    ["gave no occasion for a rule", documentOf([...kept, idle]), "1 unevaluated", "yellow"],
    ["was tried by some rules only", documentOf(kept, { complete: false }), "1 passed", "blue"],
    ["broke one of some rules", documentOf([...kept, broken], { complete: false }), "1 failed", "red"],
    [
      "was not tried to the end",
      documentOf(kept, { complete: false, interrupted: true }),
      "interrupted",
      "lightgrey",
    ],
    ["was there, and then gone", documentOf([...kept, { ...broken, unreachable: true }]), "1 failed", "red"],
    ["was not there", documentOf([{ ...broken, unreachable: true }]), "unreachable", "lightgrey"],
    [
      "breaks only what fails nothing",
      documentOf([...kept, result({ id: "a.e", level: "should" }, "fail")]),
      "conformant",
      "brightgreen",
    ],
  ])("that %s says so", (_who, document, message, color) => {
    expect(JSON.parse(badgeJsonReport(document))).toEqual({
      schemaVersion: 1,
      label: "A2A 1.0",
      message,
      color,
    });
    const image = parseXml(badgeReport(document));
    expect(image).toMatchObject({ name: "svg", attributes: { "aria-label": `A2A 1.0: ${message}` } });
    const texts = image.children.at(-1)?.children.map(({ text }) => text);
    expect(texts).toEqual(["A2A 1.0", message]);
  });

  it("is an image whatever its agent says", () => {
    for (const text of HOSTILE) {
      const { name, children } = parseXml(badgeReport(documentAround(text)));
      expect([name, ...children.map((child) => child.name)]).toEqual(["svg", "title", "clipPath", "g", "g"]);
      expect(JSON.parse(badgeJsonReport(documentAround(text)))).toMatchObject({ schemaVersion: 1 });
    }
  });
});

describe("The summary for registries", () => {
  it("says who was tried, when and by what, and what it comes to", () => {
    expect(JSON.parse(summaryReport(documentOf(EVERYTHING)))).toEqual({
      schema_version: 1,
      agent: "a2a+http://127.0.0.1:9000",
      protocol: "a2a",
      title: "A2A 1.0",
      transport: "http",
      versions: ["1.0"],
      bindings: ["JSONRPC", "HTTP+JSON"],
      proctor_version: "0.1.0",
      checked_at: "2026-01-02T03:04:05.678Z",
      strict: false,
      complete: true,
      interrupted: false,
      reachable: true,
      verdict: "fail",
      counts: { passed: 2, failed: 2, warnings: 1, advice: 2, disputed: 1, unevaluated: 1 },
    });
  });

  it("never says pass of a trial that was interrupted", () => {
    const stopped = { complete: false, interrupted: true };
    expect(JSON.parse(summaryReport(documentOf(kept, stopped)))).toMatchObject({ verdict: "unevaluated" });
    expect(JSON.parse(summaryReport(documentOf([broken], stopped)))).toMatchObject({ verdict: "fail" });
  });

  it("names no versions and no bindings where nobody knows them", () => {
    const summary = JSON.parse(summaryReport(documentOf(kept, { versions: [], bindings: [] }))) as object;
    expect(summary).toMatchObject({ title: "A2A", verdict: "pass" });
    expect(Object.keys(summary)).not.toEqual(expect.arrayContaining(["versions"]));
    expect(Object.keys(summary)).not.toEqual(expect.arrayContaining(["bindings"]));
  });
});
