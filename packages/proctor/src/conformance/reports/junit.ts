// JUnit XML, as CI systems read it: a testsuite per group of rules, a testcase per rule. What fails nothing (warnings, advice, disputed rules)
// passed, and says so in its output; what a baseline knew already is skipped.
import { escapeXml, xmlAttributes } from "../../core/escape-xml.ts";
import { printable } from "../../core/printable.ts";
import { shorten } from "../../core/shorten.ts";
import type { ConformDocument, ConformRule } from "../document.ts";
import { detailsOf, groupRules, isIdle, isKnown, labelled, placeOf, type Report } from "./report.ts";

const NAME_CHARACTERS = 500;
const DETAIL_CHARACTERS = 4000;
const EVIDENCE_CHARACTERS = 8000;

type Kind = "failure" | "error" | "skipped" | "passed";

export const junitReport: Report = (document) => {
  const { rules, summary, title, agent, checked_at } = document;
  const kinds = new Map(rules.map((rule) => [rule, kindOf(document, rule)]));
  const counts = (some: readonly ConformRule[], durationMs: number): string => {
    const count = (kind: Kind): string => `${some.filter((rule) => kinds.get(rule) === kind).length}`;
    return xmlAttributes({
      tests: `${some.length}`,
      failures: count("failure"),
      errors: count("error"),
      skipped: count("skipped"),
      time: seconds(durationMs),
    });
  };
  const suites = [...groupRules(rules)].map(([group, some]) => {
    const time = some.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
    const head = xmlAttributes({ name: group, timestamp: checked_at.replace(/\.\d+Z$/, "") });
    const cases = some.map((rule) => testCase(document, group, rule, kinds.get(rule) ?? "passed"));
    return `  <testsuite${head}${counts(some, time)}>\n${cases.join("")}  </testsuite>\n`;
  });
  const name = xmlAttributes({ name: short(`${title} conformance of ${agent}`) });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${name}${counts(rules, summary.duration_ms)}>\n${suites.join("")}</testsuites>\n`;
};

function kindOf(document: ConformDocument, rule: ConformRule): Kind {
  switch (rule.grade) {
    case "failed":
      return isKnown(document, rule) ? "skipped" : "failure";
    case "unevaluated":
      return isIdle(document, rule) ? "skipped" : "error";
    case "no_occasion":
      return "skipped";
    case "passed":
    case "warning":
    case "advice":
    case "disputed":
      return "passed";
  }
}

function testCase(document: ConformDocument, group: string, rule: ConformRule, kind: Kind): string {
  const head = xmlAttributes({ classname: group, name: rule.id, time: seconds(rule.duration_ms) });
  const body = `${propertiesOf(rule)}${resultOf(document, rule, kind)}`;
  return `    <testcase${head}>${body}</testcase>\n`;
}

function resultOf(document: ConformDocument, rule: ConformRule, kind: Kind): string {
  const [first, ...more] = detailsOf(rule).map((detail) => short(labelled(detail), DETAIL_CHARACTERS));
  const known = isKnown(document, rule) ? "known failure: " : "";
  const message = `${known}${first ?? rule.outcome}`;
  switch (kind) {
    case "failure":
    case "error": {
      const evidence = rule.evidence
        ? [short(`evidence: ${JSON.stringify(rule.evidence)}`, EVIDENCE_CHARACTERS)]
        : [];
      const text = [short(rule.title), short(placeOf(rule)), message, ...more, ...evidence].join("\n");
      return `<${kind}${xmlAttributes({ message, type: rule.grade })}>${escapeXml(text)}</${kind}>`;
    }
    case "skipped":
      return `<skipped${xmlAttributes({ message })}/>`;
    case "passed":
      if (rule.grade === "passed") return "";
      return `<system-out>${escapeXml([`${rule.grade}: ${message}`, ...more].join("\n"))}</system-out>`;
  }
}

function propertiesOf({ title, level, section, owner, disputed }: ConformRule): string {
  const values = { title, level, owner, section, disputed };
  const list = Object.entries(values).map(([name, value]) =>
    value === undefined ? "" : `<property${xmlAttributes({ name, value: short(value) })}/>`,
  );
  return `<properties>${list.join("")}</properties>`;
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}

/** Shortens a text and makes its control characters visible. */
function short(text: string, limit = NAME_CHARACTERS): string {
  return printable(shorten(text, limit));
}
