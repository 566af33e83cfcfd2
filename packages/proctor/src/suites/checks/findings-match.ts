// Passes when a report names the findings that are expected, and none of what must not be flagged, as suites of the ATP
// platform have it for reviews of code. A report is a list of findings in JSON, or a text.
import { z } from "zod";
import type { Check } from "../check.ts";
import { addError } from "../../runtime/yaml/findings.ts";
import { fail, pass } from "../verdict.ts";
import { matchFindings, type FindingsResult } from "../findings/match-findings.ts";
import { readReport } from "../findings/read-report.ts";
import { checkPattern } from "../patterns/pattern.ts";
import { withinCpuTime } from "../../runtime/cpu-limit.ts";
import { quoted } from "../texts/words.ts";

const LIMIT_MS = 2000;
const text = z.string().trim().min(1).max(10_000);

const expected = z
  .strictObject({
    /** How messages call it. */
    id: text.optional(),
    /** Any of them: reporters have different names for the same rule. */
    rule_ids: z.array(text).min(1).max(100).optional(),
    /** A piece of what is found, white space and case aside. */
    anchor: text.optional(),
    /** A regular expression instead. */
    pattern: text.optional(),
    severity: z.enum(["critical", "major", "minor"]).optional(),
  })
  .superRefine(({ rule_ids: ids, anchor, pattern }, context) => {
    if (ids === undefined && anchor === undefined && pattern === undefined)
      addError(context, `an expected finding needs "anchor", "pattern" or "rule_ids"`);
    if (pattern !== undefined) checkPattern(pattern, context);
  });

const forbidden = z
  .strictObject({ id: text.optional(), anchor: text.optional(), pattern: text.optional() })
  .superRefine(({ anchor, pattern }, context) => {
    if (anchor === undefined && pattern === undefined)
      addError(context, `what must not be flagged needs "anchor" or "pattern"`);
    if (pattern !== undefined) checkPattern(pattern, context);
  });

const config = z
  .strictObject({
    expected_findings: z.array(expected).max(1000).default([]),
    must_not_flag: z.array(forbidden).max(1000).default([]),
    path: z.string().min(1).optional(),
    /** The least recall, over all that is expected. */
    threshold: z.number().min(0).max(1).optional(),
  })
  .superRefine(({ expected_findings: wanted, must_not_flag: unwanted }, context) => {
    if (wanted.length + unwanted.length === 0)
      addError(context, `there is nothing to check: give "expected_findings" or "must_not_flag"`);
  });

export const findingsMatch: Check<z.output<typeof config>> = {
  type: "findings_match",
  config,
  async evaluate(subject, { expected_findings: wanted, must_not_flag: unwanted, path, threshold }) {
    const report = await readReport(subject, path);
    if ("outcome" in report) return report;
    const result = withinCpuTime("the comparison", () => matchFindings(report, wanted, unwanted), LIMIT_MS);
    const { found, missing, needed, flagged, unexpected, recall, precision } = result;
    const details = {
      recall: round(recall),
      precision: round(precision),
      found,
      missing,
      flagged,
      ...(unexpected !== undefined && { unexpected }),
    };
    const enough = threshold === undefined || recall >= threshold - 1e-9;
    const good = needed.length === 0 && flagged.length === 0 && enough;
    const message = sayOf(result, wanted.length, enough ? undefined : threshold);
    return { ...(good ? pass(message, details) : fail(message, details)), score: f1(recall, precision) };
  },
};

function sayOf({ found, missing, flagged, recall }: FindingsResult, total: number, least?: number): string {
  return [
    ...(total > 0 ? [`${found.length} of ${total} expected findings`] : []),
    ...(missing.length > 0 ? [`missing: ${quoted(missing)}`] : []),
    ...(flagged.length > 0 ? [`must not be flagged: ${quoted(flagged)}`] : []),
    ...(least === undefined ? [] : [`recall ${round(recall)}, at least ${least} expected`]),
    ...(total === 0 && flagged.length === 0 ? ["nothing flagged that must not be"] : []),
  ].join("; ");
}

function f1(recall: number, precision: number): number {
  return recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision);
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
