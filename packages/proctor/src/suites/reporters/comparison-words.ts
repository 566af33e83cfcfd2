// What a comparison with earlier results says in words: how many cases went which way, and each finding with its arrow.
import type { CaseChange, Comparison } from "../compare/comparison.ts";
import { comparedCases } from "../compare/coverage.ts";
import { formatCount } from "./amounts.ts";

const ARROWS: Record<CaseChange, string> = {
  regressed: "↓",
  improved: "↑",
  unchanged: "=",
  undecided: "?",
  new: "+",
  missing: "−",
};
const CHANGES = ["regressed", "improved", "undecided", "new", "missing", "unchanged"] as const;
const NEITHER = "·";

interface ComparisonWords {
  title: string;
  /** `↓ 2 regressed  ↑ 1 improved  = 17 unchanged`. */
  counts: string;
  findings: { arrow: string; text: string }[];
  findingsLeftOut: number;
}

export function comparisonWords(comparison: Comparison, limit: number): ComparisonWords {
  const { before, cases, findings } = comparison;
  const counts = CHANGES.map(
    (change) => [change, cases.filter((one) => one.change === change).length] as const,
  );
  return {
    title: `${titleOf(comparison)} ${before.name} of ${before.created_at}`,
    counts: counts
      .filter(([, count]) => count > 0)
      .map(([change, count]) => `${ARROWS[change]} ${formatCount(count)} ${change}`)
      .join("  "),
    findings: findings.slice(0, limit).map((text) => ({ arrow: arrowOf(text, comparison), text })),
    findingsLeftOut: Math.max(0, findings.length - limit),
  };
}

/** What was not compared in full is not called free of regressions. */
function titleOf({ outcome, cases }: Comparison): string {
  if (outcome === "fail") return "worse than";
  if (outcome === "pass") return "no regression against";
  return comparedCases(cases).length === 0 ? "not compared with" : "not fully compared with";
}

/** Arrow of the case that the finding names; a finding may be about no case, or about all of them. */
function arrowOf(finding: string, { cases }: Comparison): string {
  const named = cases.find(
    ({ change, test_id, agent }) =>
      (change === "regressed" || change === "improved") && finding.startsWith(`${test_id} [${agent}]:`),
  );
  return named === undefined ? NEITHER : ARROWS[named.change];
}
