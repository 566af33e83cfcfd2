// Which of the expected findings a report has, which are missing, and what it flags that it must not.
import { parsePattern } from "../../core/parse-pattern.ts";
import type { Finding, Report } from "./read-report.ts";

interface Wanted {
  id?: string | undefined;
  rule_ids?: string[] | undefined;
  anchor?: string | undefined;
  pattern?: string | undefined;
  severity?: "critical" | "major" | "minor" | undefined;
}

export interface FindingsResult {
  found: string[];
  missing: string[];
  /** The missing findings without which the check fails. */
  needed: string[];
  flagged: string[];
  /** The number of findings that are neither expected nor forbidden; unknown for a text. */
  unexpected?: number;
  recall: number;
  precision: number;
}

export function matchFindings(
  report: Report,
  wanted: readonly Wanted[],
  unwanted: readonly Wanted[],
): FindingsResult {
  const findings: Finding[] = report.kind === "list" ? report.findings : [{ text: report.text }];
  const isText = report.kind === "text";
  const compared = findings.map(prepare);
  const wantedTests = wanted.map(testOf);
  const unwantedTests = unwanted.map(testOf);

  const hit = wantedTests.map((test) => compared.some(test));
  const found = wanted.filter((_, index) => hit[index]);
  const missing = wanted.filter((_, index) => !hit[index]);
  // Each finding that matches counts, so that a repeated false alarm is worse than one.
  const flagged = isText
    ? unwanted.filter((_, index) => compared.some((finding) => unwantedTests[index]?.(finding))).map(nameOf)
    : compared.flatMap((finding) => {
        const index = unwantedTests.findIndex((test) => test(finding));
        return index === -1 ? [] : [nameOf(unwanted[index] ?? {})];
      });
  const known = [...wantedTests, ...unwantedTests];
  const unexpected = compared.filter((finding) => !known.some((test) => test(finding))).length;
  const positives = found.length + flagged.length;
  return {
    found: found.map(nameOf),
    missing: missing.map(nameOf),
    needed: missing.filter(({ severity }) => severity === undefined || severity === "critical").map(nameOf),
    flagged,
    ...(!isText && { unexpected }),
    recall: wanted.length === 0 ? 1 : found.length / wanted.length,
    precision: positives === 0 ? 1 : found.length / positives,
  };
}

interface Compared {
  finding: Finding;
  text: string;
  ruleId: string | undefined;
  anchor: string | undefined;
}

function prepare(finding: Finding): Compared {
  const { ruleId, anchor, text } = finding;
  return {
    finding,
    text: normal(text),
    ruleId: ruleId === undefined ? undefined : normal(ruleId),
    anchor: anchor === undefined ? undefined : normal(anchor),
  };
}

function testOf({ rule_ids: ids, anchor, pattern }: Wanted): (compared: Compared) => boolean {
  const rules = ids?.map(normal);
  const place = anchor === undefined ? undefined : normal(anchor);
  const expression = pattern === undefined ? undefined : parsePattern(pattern);
  return ({ finding, text, ruleId, anchor: own }) => {
    // A finding without a rule id may name the rule in its text.
    if (rules && !rules.some((id) => (ruleId === undefined ? text.includes(id) : ruleId === id)))
      return false;
    if (expression && !expression.test(finding.text)) return false;
    // Either side may quote more of the place than the other.
    return (
      place === undefined || text.includes(place) || (own !== undefined && own !== "" && place.includes(own))
    );
  };
}

function nameOf({ id, rule_ids: ids, anchor, pattern }: Wanted): string {
  if (id !== undefined) return id;
  const place = anchor ?? (pattern === undefined ? undefined : `/${pattern}/`);
  return [ids?.[0], place].filter((part) => part !== undefined).join("@");
}

function normal(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().toLowerCase();
}
