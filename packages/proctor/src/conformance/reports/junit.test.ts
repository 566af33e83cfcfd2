import { describe, expect, it } from "vitest";
import { validateXML } from "xmllint-wasm";
import {
  compared,
  documentAround,
  documentOf,
  EVERYTHING,
} from "../../../test/support/conformance/documents.ts";
import { JUNIT_SCHEMA } from "../../../test/support/reporters/junit-schema.ts";
import { HOSTILE, LONG } from "../../../test/support/reporters/results.ts";
import { parseXml, type XmlElement } from "../../../test/support/xml.ts";
import type { ConformDocument } from "../document.ts";
import { junitReport } from "./junit.ts";

/** What became of each rule, by its id; `passed` for those of which nothing is said. */
function kinds(document: ConformDocument): Record<string, string> {
  const cases = parseXml(junitReport(document)).children.flatMap(({ children }) => children);
  return Object.fromEntries(
    cases.map(({ attributes, children }) => [attributes["name"], children[1]?.name ?? "passed"]),
  ) as Record<string, string>;
}

const textOf = (document: ConformDocument, name: string): string =>
  parseXml(junitReport(document))
    .children.flatMap(({ children }) => children)
    .flatMap(({ children }: XmlElement) => children)
    .find((child) => child.name === name)?.text ?? "";

describe("JUnit of conformance", () => {
  it("has a suite per group, and says of each rule what it comes to", () => {
    const root = parseXml(junitReport(documentOf(EVERYTHING)));
    expect(root.attributes).toEqual({
      name: "A2A 1.0 conformance of a2a+http://127.0.0.1:9000",
      tests: "11",
      failures: "2",
      errors: "1",
      skipped: "2",
      time: "1.235",
    });
    expect(root.children.map(({ attributes }) => [attributes["name"], attributes["tests"]])).toEqual([
      ["a2a.card", "2"],
      ["a2a.task", "5"],
      ["a2a.http", "4"],
    ]);
    expect(kinds(documentOf(EVERYTHING))).toEqual({
      "a2a.card.served": "passed",
      "a2a.card.media": "system-out",
      "a2a.task.unknown": "failure",
      "a2a.task.cancel": "failure",
      "a2a.task.list": "error",
      "a2a.task.history": "system-out",
      "a2a.task.page": "skipped",
      "a2a.http.status": "system-out",
      "a2a.http.length": "system-out",
      "a2a.http.alive": "skipped",
      "a2a.http.keep": "passed",
    });
  });

  it("has section, expected, got, the command line, advice and evidence of a failure", () => {
    expect(textOf(documentOf(EVERYTHING), "failure").split("\n")).toEqual([
      "a task that does not exist is answered with TaskNotFoundError",
      "must, section 3.3.2",
      "the error has another code",
      'expected: {"code":-32001}',
      'got: {"code":-32603,"message":"Internal error"}',
      expect.stringMatching(/^reproduce: curl -sS -X POST .*"no-such-task"\}\}'$/),
      "answer with code -32001",
      expect.stringMatching(/^evidence: \{"sent":/),
    ]);
  });

  it("skips what a baseline knew, and what had no occasion then either", () => {
    expect(kinds(compared())).toMatchObject({
      "a2a.task.unknown": "skipped",
      "a2a.task.cancel": "failure",
      "a2a.task.list": "skipped",
    });
    expect(junitReport(compared())).toContain('message="known failure: the error has another code"');
  });

  it("is what CI systems agree on, whatever the agent says", async () => {
    const documents = [documentOf([]), documentOf(EVERYTHING), compared(), ...HOSTILE.map(documentAround)];
    const xml = documents.map((document, index) => ({
      fileName: `${index}.xml`,
      contents: junitReport(document),
    }));
    const { errors } = await validateXML({
      xml,
      schema: [{ fileName: "junit.xsd", contents: JUNIT_SCHEMA }],
    });
    expect(errors).toEqual([]);
    for (const document of documents) parseXml(junitReport(document));
    const nasty = "]]><failure> & \"'";
    expect(textOf(documentAround(nasty), "failure")).toContain(`expected: ${nasty}\ngot: ${nasty}\n`);
    expect(junitReport(documentAround(LONG)).length).toBeLessThan(200_000);
  });
});
