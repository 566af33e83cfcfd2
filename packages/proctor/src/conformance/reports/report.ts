// What a report is, and the words that all of them use. What an agent said is in the document as it was said: each report escapes it.
import type { ConformDocument, ConformRule, ConformSummary } from "../document.ts";
import type { Grade } from "../grade.ts";

/** Writes a document down. */
export type Report = (document: ConformDocument) => string;

/** How whoever was tried took part. */
export function roleWords({ transport }: Pick<ConformDocument, "transport">): string {
  return transport === "client" || transport === "gateway" ? `as a ${transport}` : `over ${transport}`;
}

/** The grades that need a look, the most urgent first, and what a list of such rules is called. */
export const TROUBLE = {
  failed: "Failed",
  warning: "Warnings",
  unevaluated: "Unevaluated",
  disputed: "Disputed",
  advice: "Advice",
} as const satisfies Partial<Record<Grade, string>>;

/** `Object.keys` does not know its own answer. */
export const TROUBLE_GRADES = Object.keys(TROUBLE) as readonly (keyof typeof TROUBLE)[];

interface Detail {
  kind: "reason" | "disputed" | "expected" | "got" | "reproduce" | "advice" | "measured";
  text: string;
}

/** What was measured where a rule is something to know, and judges nothing. */
export function measuredOf({ level, outcome, got }: ConformRule): string | undefined {
  return level === "may" && outcome === "pass" ? got : undefined;
}

/** What there is to say about a rule that was not kept, in the order in which it is read; of one that was, what was measured. */
export function detailsOf(rule: ConformRule): Detail[] {
  const { reason, disputed, expected, got, reproduce, outcome } = rule;
  const measured = measuredOf(rule);
  if (outcome === "pass") return measured === undefined ? [] : [{ kind: "measured", text: measured }];
  const [seen, ...advice] = (reason ?? "").split("\n");
  const details = { reason: seen, disputed, expected, got, reproduce, advice: advice.join("\n") };
  return Object.entries(details).flatMap(([kind, text]) =>
    // The keys are those of the object above.
    text === undefined || text === "" ? [] : [{ kind: kind as Detail["kind"], text }],
  );
}

/** A detail as it stands among others: what it is, unless its words say so. */
export function labelled({ kind, text }: Detail): string {
  return kind === "reason" || kind === "advice" ? text : `${kind}: ${text}`;
}

/** `must, section 3.1` or `must, Response Fields`; or whose rule it is where no section has it. */
export function placeOf({ level, section }: ConformRule): string {
  if (section === undefined) return `${level}, Proctor's own`;
  return `${level}, ${/^\d/.test(section) ? "section " : ""}${section}`;
}

/** The rules by the first two parts of their ids (`a2a.card`, `acts.CORE`), in the order of the list. */
export function groupRules(rules: readonly ConformRule[]): Map<string, ConformRule[]> {
  const groups = new Map<string, ConformRule[]>();
  for (const rule of rules) {
    const group = rule.id.split(/[.-]/).slice(0, 2).join(".");
    groups.set(group, [...(groups.get(group) ?? []), rule]);
  }
  return groups;
}

/** The verdict in a word or two. Some rules alone never make an agent conformant. */
export function verdictWords({
  verdict,
  complete,
  interrupted,
  reachable,
  summary,
}: ConformDocument): string {
  const { passed, failed, unevaluated } = summary;
  if (!reachable) return "unreachable";
  if (verdict === "fail") return `${failed} failed`;
  if (interrupted) return "interrupted";
  if (verdict === "unevaluated") return `${unevaluated} unevaluated`;
  return complete ? "conformant" : `${passed} passed`;
}

/** `41 passed, 2 failed, 1 warning, 0 unevaluated`. */
export function countWords({
  passed,
  failed,
  warnings,
  advice,
  disputed,
  unevaluated,
}: ConformSummary): string {
  return [
    `${passed} passed`,
    `${failed} failed`,
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? "warning" : "warnings"}`] : []),
    ...(advice > 0 ? [`${advice} advice`] : []),
    ...(disputed > 0 ? [`${disputed} disputed`] : []),
    `${unevaluated} unevaluated`,
  ].join(", ");
}

/** Whether a rule that fails now failed in the baseline, too. */
export function isKnown({ baseline }: ConformDocument, { id }: ConformRule): boolean {
  return baseline?.known.includes(id) === true;
}

/** Whether nobody has to mind that a rule had no occasion: a baseline counts only what could have got worse. */
export function isIdle({ baseline }: ConformDocument, { id, grade }: ConformRule): boolean {
  if (grade === "no_occasion") return true;
  if (grade !== "unevaluated" || baseline === undefined) return false;
  const isCompared = baseline.outcome !== "unevaluated" || baseline.undecided.length > 0;
  return isCompared && !baseline.undecided.includes(id);
}
