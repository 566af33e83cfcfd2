// What a report is, and the words that all of them use. What an agent said is in the document as it was said: each report escapes it.
import type { ConformDocument, ConformRule, ConformSummary } from "../document.ts";
import type { Grade } from "../grade.ts";

/** Renders a document as text. */
export type Report = (document: ConformDocument) => string;

/** Returns how the tested agent took part: `as a client`, or over which transport. */
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

/** The keys of TROUBLE in their order, which `Object.keys` returns as mere strings. */
export const TROUBLE_GRADES = Object.keys(TROUBLE) as readonly (keyof typeof TROUBLE)[];

interface Detail {
  kind: "reason" | "disputed" | "expected" | "got" | "reproduce" | "advice" | "measured";
  text: string;
}

/** Returns what was measured by a rule of level `may`, which judges nothing. */
export function measuredOf({ level, outcome, got }: ConformRule): string | undefined {
  return level === "may" && outcome === "pass" ? got : undefined;
}

/** Returns the details of a rule that was not kept, in reading order; of a rule that was kept, what was measured. */
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

/** Returns a detail with its label, unless its text says what it is. */
export function labelled({ kind, text }: Detail): string {
  return kind === "reason" || kind === "advice" ? text : `${kind}: ${text}`;
}

/** Returns `must, section 3.1` or `must, Response Fields`; or the owner of a rule that no section has. */
export function placeOf({ level, section }: ConformRule): string {
  if (section === undefined) return `${level}, Proctor's own`;
  return `${level}, ${/^\d/.test(section) ? "section " : ""}${section}`;
}

/** Groups the rules by the first two parts of their ids (`a2a.card`, `acts.CORE`), in the order of the list. */
export function groupRules(rules: readonly ConformRule[]): Map<string, ConformRule[]> {
  const groups = new Map<string, ConformRule[]>();
  for (const rule of rules) {
    const group = rule.id.split(/[.-]/).slice(0, 2).join(".");
    groups.set(group, [...(groups.get(group) ?? []), rule]);
  }
  return groups;
}

/** Returns the verdict in a word or two. A selection of rules never makes an agent conformant. */
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

/** Returns words such as `41 passed, 2 failed, 1 warning, 0 unevaluated`. */
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

/** Whether the rule failed in the baseline, too. */
export function isKnown({ baseline }: ConformDocument, { id }: ConformRule): boolean {
  return baseline?.known.includes(id) === true;
}

/** Whether it does not matter that the rule had no occasion: a baseline counts only what could have got worse. */
export function isIdle({ baseline }: ConformDocument, { id, grade }: ConformRule): boolean {
  if (grade === "no_occasion") return true;
  if (grade !== "unevaluated" || baseline === undefined) return false;
  const isCompared = baseline.outcome !== "unevaluated" || baseline.undecided.length > 0;
  return isCompared && !baseline.undecided.includes(id);
}
