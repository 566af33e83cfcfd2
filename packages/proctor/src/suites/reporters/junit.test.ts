import { assert, constant, oneof, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { parseXml, type XmlElement } from "../../../test/support/xml.ts";
import { escapeXml } from "../../core/escape-xml.ts";
import { junitReporter } from "./junit.ts";
import { JUNIT_SCHEMA } from "../../../test/support/reporters/junit-schema.ts";
import {
  attempt,
  attempts,
  everything,
  hostile,
  LONG,
  plan,
  play,
  repeated,
  result,
} from "../../../test/support/reporters/results.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

test("JUnit is one document with counts, reasons and the cases that were not run", () => {
  const { plan: planned, results } = everything();
  const file = 'file="suites/smoke.yaml" line="7"';
  const crash = "the run ended as failed: AGENT_CRASHED: exit 1 (suites/smoke.yaml:7:5, run r4)";
  const lost = "the hub is gone (suites/smoke.yaml:7:5)";
  const missed = "2 of 3 runs: contains: &quot;hello&quot; not found (suites/smoke.yaml:12:9, run r1)";
  const more = "1 of 3 runs: contains: no events (suites/smoke.yaml:13:9, run r3)";
  const ids = (value: string): string => `<property name="run_ids" value="${value}"/></properties>`;
  const several =
    '<property name="runs" value="3"/><property name="passed" value="1"/><property name="pass_rate" value="0.3333"/>' +
    '<property name="pass_rate_low" value="0.0615"/><property name="pass_rate_high" value="0.7923"/>';
  expect(play(junitReporter, planned, results)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="proctor" tests="5" failures="2" errors="1" skipped="1" time="1.249">
  <testsuite name="smoke" file="suites/smoke.yaml" tests="5" failures="2" errors="1" skipped="1" time="4.936">
    <testcase classname="smoke" name="good [echo]" ${file} time="1.234"><properties><property name="title" value="Test good"/>${ids("r1")}</testcase>
    <testcase classname="smoke" name="bad [echo]" ${file} time="1.234"><properties><property name="title" value="Test bad"/>${several}${ids("r1 r2 r3")}<failure message="${missed}" type="fail">${missed}&#10;${more}</failure></testcase>
    <testcase classname="smoke" name="crash [echo]" ${file} time="1.234"><properties><property name="title" value="Test crash"/>${ids("r4")}<failure message="${crash}" type="fail">${crash}</failure></testcase>
    <testcase classname="smoke" name="lost [echo]" ${file} time="1.234"><properties><property name="title" value="Test lost"/></properties><error message="${lost}" type="unevaluated">${lost}</error></testcase>
    <testcase classname="smoke" name="late [echo]" ${file} time="0.000"><skipped message="interrupted, 1 not run"/></testcase>
  </testsuite>
</testsuites>
`);
});

test("JUnit has pass rate, score, gate, sources and runs as properties of the case", () => {
  const { plan: planned, results, rest } = repeated();
  const [suite] = parseXml(play(junitReporter, planned, results, rest)).children;
  const properties = (index: number): Record<string, string> =>
    Object.fromEntries(
      suite?.children[index]?.children[0]?.children.map(({ attributes }) => [
        attributes["name"],
        attributes["value"],
      ]) ?? [],
    ) as Record<string, string>;
  expect(properties(1)).toMatchObject({
    runs: "10",
    passed: "8",
    pass_rate: "0.8",
    score: "80",
    gate: "inconclusive",
  });
  expect(properties(3)).toMatchObject({ sources: "1 resumed, 3 cached, 1 rescored" });
  expect(suite?.children.at(-1)?.children[0]?.attributes).toEqual({
    message: "stopped by --fail-fast, 5 not run",
  });
});

describe("the JUnit schema that CI systems agree on", () => {
  /** All in one go: a validator takes a while to start. Returns the files that are not valid. */
  async function invalid(texts: readonly string[]): Promise<Set<string>> {
    const xml = texts.map((contents, index) => ({ fileName: `${index}.xml`, contents }));
    const schema = [{ fileName: "junit.xsd", contents: JUNIT_SCHEMA }];
    const { errors } = await validateXML({ xml, schema });
    return new Set(errors.map(({ rawMessage }) => /^[^:\s]+/.exec(rawMessage)?.[0] ?? rawMessage));
  }

  test("accepts every report", async () => {
    const { plan: planned, results } = everything();
    const many = repeated();
    const reports = [
      play(junitReporter, planned, results),
      play(junitReporter, planned, []),
      play(junitReporter, many.plan, many.results, many.rest),
      ...hostile().map((one) => play(junitReporter, one.plan, one.results)),
    ];
    expect(await invalid(reports)).toEqual(new Set());
  });

  test("finds a report that breaks it", async () => {
    const { plan: planned, results } = everything();
    const text = play(junitReporter, planned, results);
    const broken = [
      text.replace("<error", "<mistake").replace("</error", "</mistake"),
      text.replace(' time="1.249"', ' time="soon"'),
      text.replace(' tests="5"', ""),
      text.replace(/(<properties>.*?<\/properties>)(<failure.*?<\/failure>)/, "$2$1"),
    ];
    expect(await invalid([text, ...broken])).toEqual(new Set(["1.xml", "2.xml", "3.xml", "4.xml"]));
  });
});

test("JUnit counts cases", () => {
  const { plan: planned, results } = everything();
  const [suite] = parseXml(play(junitReporter, planned, results)).children;
  const having = (name: string): number =>
    suite?.children.filter(({ children }: XmlElement) => children.some((one) => one.name === name)).length ??
    -1;
  expect(suite?.attributes).toMatchObject({
    tests: `${suite?.children.length}`,
    failures: `${having("failure")}`,
    errors: `${having("error")}`,
    skipped: `${having("skipped")}`,
  });
});

test("JUnit is valid XML, whatever text is in it", () => {
  const nasty = oneof(string({ unit: anyCharacter }), constant("]]>\u0000\ud800<a b='\"&\uffff"));
  assert(
    property(nasty, (text) => {
      const escaped = escapeXml(text);
      expect(escaped).not.toMatch(/[<>"'\t\n\r]|&(?!(?:amp|lt|gt|quot|apos|#\d+);)/);
      // The Char production of XML 1.0, without the white space that is written as a reference.
      expect(escaped).toMatch(/^[\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
    }),
  );
  expect(escapeXml("😀 ü\ud800")).toBe("😀 ü\ufffd");
});

test("JUnit is of limited size, whatever agents said and however many runs there were", () => {
  for (const { plan: planned, results } of hostile([LONG])) {
    expect(play(junitReporter, planned, results).length).toBeLessThan(200_000);
  }
  const planned = plan(["one"]);
  const runs = attempts(Array.from({ length: 1000 }, () => "fail" as const)).map((one) => ({
    ...one,
    reason: `took ${one.number} ms`,
  }));
  const text = play(junitReporter, planned, [
    result(planned, 0, runs),
    result(planned, 0, [attempt("pass")]),
  ]);
  expect(text).toContain("r20 and 980 more");
  expect(text).toContain("&#10;and 980 more</failure>");
});
