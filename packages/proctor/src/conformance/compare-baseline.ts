// What changed since an earlier document, rule by rule: what fails a trial that has a baseline.
import { decides } from "./grade.ts";
import type { ConformanceRule, RuleResult } from "./conformance.ts";
import type { ConformDocument } from "./document.ts";

/** The parts of an earlier document that are compared. */
export interface Baseline {
  /** Path of the file as the user wrote it. */
  file: string;
  agent: string;
  /** Id of the protocol; absent where the document does not name it. */
  protocol?: string;
  checked_at?: string;
  /** Outcomes by the id of their rule. */
  outcomes: ReadonlyMap<string, RuleResult["outcome"]>;
}

export interface BaselineFinding {
  file: string;
  agent: string;
  checked_at?: string;
  /** `fail` when something got worse, `unevaluated` when that cannot be told. */
  outcome: RuleResult["outcome"];
  /** Why the outcome is `unevaluated`. */
  reason?: string;
  /** Rules that failed then and fail now. */
  known: readonly string[];
  /** Rules that fail now, and did not fail then. */
  new: readonly string[];
  /** Rules that failed then and are kept now. */
  fixed: readonly string[];
  /** Rules that had no occasion now, and passed then or were not tried. */
  undecided: readonly string[];
}

/** Compares a document with a baseline; `asked` are the rules that could have been tried now. */
export function compareBaseline(
  document: ConformDocument,
  { file, agent, protocol, checked_at, outcomes }: Baseline,
  asked: readonly ConformanceRule[],
): BaselineFinding {
  const head = { file, agent, ...(checked_at !== undefined && { checked_at }) };
  const reason = incomparable(document, protocol, outcomes);
  if (reason !== undefined)
    return { ...head, outcome: "unevaluated", reason, known: [], new: [], fixed: [], undecided: [] };
  const ids = (rules: readonly { id: string }[]): string[] => rules.map(({ id }) => id);
  const failed = document.rules.filter(({ grade }) => grade === "failed");
  const tried = new Set(ids(document.rules));
  const found = {
    known: ids(failed.filter(({ id }) => outcomes.get(id) === "fail")),
    new: ids(failed.filter(({ id }) => outcomes.get(id) !== "fail")),
    fixed: ids(document.rules.filter(({ id, outcome }) => outcome === "pass" && outcomes.get(id) === "fail")),
    undecided: [
      ...ids(document.rules.filter(({ id, grade }) => grade === "unevaluated" && isOpen(outcomes.get(id)))),
      ...ids(
        asked.filter((rule) => decides(rule) && !tried.has(rule.id) && outcomes.get(rule.id) === "pass"),
      ),
    ],
  };
  return { ...head, ...judge(found), ...found };
}

/** Whether a rule without an occasion now may have got worse: not if it had none then, or was broken. */
function isOpen(before: RuleResult["outcome"] | undefined): boolean {
  return before === undefined || before === "pass";
}

function incomparable(
  document: ConformDocument,
  protocol: string | undefined,
  outcomes: Baseline["outcomes"],
): string | undefined {
  if (protocol !== undefined && protocol !== document.protocol)
    return `the baseline is of an agent of ${protocol}, and this one speaks ${document.protocol}`;
  if (!document.reachable) return "the agent could not be reached, so that nothing can be compared";
  if (!document.rules.some(({ id }) => outcomes.has(id)))
    return "the baseline has none of the rules that were tried";
  return undefined;
}

function judge({
  new: worse,
  undecided,
}: Pick<BaselineFinding, "new" | "undecided">): Pick<BaselineFinding, "outcome" | "reason"> {
  if (worse.length > 0) return { outcome: "fail" };
  if (undecided.length === 0) return { outcome: "pass" };
  const [first = ""] = undecided;
  const others = undecided.length === 1 ? "" : `, and ${undecided.length - 1} more`;
  return { outcome: "unevaluated", reason: `there was no occasion to compare ${first}${others}` };
}

/** Returns words such as `2 known failures, 1 new, 1 fixed`, or why there is nothing to count. */
export function baselineWords({ known, new: worse, fixed, undecided, reason }: BaselineFinding): string {
  if (reason !== undefined && undecided.length === 0) return reason;
  const counts = [
    `${known.length} known ${known.length === 1 ? "failure" : "failures"}`,
    `${worse.length} new`,
    ...(fixed.length > 0 ? [`${fixed.length} fixed`] : []),
  ].join(", ");
  return reason === undefined ? counts : `${counts}; ${reason}`;
}
