// What a hub keeps of a document: enough to see what is wrong, and never more than a few pages.
import {
  MAX_BROKEN,
  MAX_REASON_CHARS,
  MAX_WORDS_CHARS,
  type BrokenRule,
  type ConformanceReport,
} from "../core/conformance-report.ts";
import { shorten } from "../core/shorten.ts";
import type { ConformDocument, ConformRule } from "./document.ts";

const GRADES = ["failed", "warning", "disputed", "advice"] as const satisfies BrokenRule["grade"][];

export function keptReport(document: ConformDocument): ConformanceReport {
  const { protocol, title, transport, proctor_version, checked_at, strict, reachable, verdict } = document;
  const { duration_ms: _, ...counts } = document.summary;
  // The worst first, so that what is cut off matters least.
  const broken = GRADES.flatMap((grade) =>
    document.rules.filter((rule) => rule.grade === grade).map((rule) => brokenRule(rule, grade)),
  );
  return {
    protocol,
    title: shorten(title, MAX_WORDS_CHARS),
    transport,
    proctor_version,
    checked_at,
    strict,
    reachable,
    verdict,
    counts,
    broken: broken.slice(0, MAX_BROKEN),
  };
}

function brokenRule(rule: ConformRule, grade: BrokenRule["grade"]): BrokenRule {
  const { id, title, owner, section, level, reason } = rule;
  return {
    id: shorten(id, MAX_WORDS_CHARS),
    title: shorten(title, MAX_WORDS_CHARS),
    owner,
    ...(section !== undefined && { section: shorten(section, MAX_WORDS_CHARS) }),
    level,
    grade,
    ...(reason !== undefined && { reason: shorten(reason, MAX_REASON_CHARS) }),
  };
}
