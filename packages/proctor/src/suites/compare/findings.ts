// What a comparison has to say, for people: worst first, a line for each thing, and many of one kind cut short.
import { formatCount, formatTime, formatCost, plural } from "../reporters/amounts.ts";
import type { CaseChange, CaseComparison, Comparison, Measure, ResultSet, SideOfCase } from "./comparison.ts";
import { whyNothing } from "./coverage.ts";
import { medianOf } from "./side-of-case.ts";

/** Most lines of one kind, because a thousand regressions are one problem. */
const MAX_LINES = 20;
/** Most names in a line. */
const MAX_NAMES = 5;

type Compared = Omit<Comparison, "findings">;

export function findingsOf(comparison: Compared, sets: { before: ResultSet; after: ResultSet }): string[] {
  const { cases, alpha, measures = [] } = comparison;
  const name = namesOf(cases);
  const of = (change: CaseChange): CaseComparison[] => cases.filter((one) => one.change === change);
  const flipped = (one: CaseComparison): boolean =>
    one.after?.outcome === "fail" && one.before?.outcome === "pass";
  const recovered = (one: CaseComparison): boolean =>
    one.after?.outcome === "pass" && one.before?.outcome === "fail";
  const undecided = of("undecided");
  const unknown = undecided.filter((one) => !flipped(one) && !recovered(one));
  return [
    ...nothingFinding(comparison),
    ...lines(
      of("regressed"),
      (one) => `${name(one)}: ${change(one)}, worse (${after(one.p_worse_adjusted)})`,
    ),
    ...overallFindings(comparison),
    ...lines(undecided.filter(flipped), (one) => undecidedFinding(name(one), one)),
    ...listed(
      of("missing"),
      ["missing case", "missing cases"],
      (one) => `${name(one)} (${fraction(one.before)} before)`,
    ),
    ...lines(unknown, (one) => unknownFinding(name(one), one)),
    ...lines(
      of("improved"),
      (one) => `${name(one)}: ${change(one)}, better (${after(one.p_better_adjusted)})`,
    ),
    ...lines(undecided.filter(recovered), (one) => undecidedFinding(name(one), one)),
    ...listed(of("new"), ["new case", "new cases"], (one) => `${name(one)} (${fraction(one.after)})`),
    ...measures.filter(({ p_adjusted }) => p_adjusted <= alpha).map(measureFinding),
    ...listed(
      cases.filter(({ edited }) => edited),
      [
        "case was edited since, so that more than the agent may have changed",
        "cases were edited since, so that more than the agent may have changed",
      ],
      name,
    ),
    ...leftOutFindings(cases, sets),
    ...detectable(comparison),
  ];
}

function nothingFinding({ cases, before, after: now }: Compared): string[] {
  const why = whyNothing(cases, { before: before.name, after: now.name });
  return why === undefined ? [] : [`nothing to compare: ${why}`];
}

/** Formats a p-value with its sign: `= 0.02`, `< 0.0001`. */
export function formatP(p: number): string {
  return p < 0.0001 ? "< 0.0001" : `= ${Number(p.toPrecision(2))}`;
}

function after(p: number | null): string {
  return `p ${formatP(p ?? 1)} after correction`;
}

/** Returns a function that names a case: with its suite where there are several, without its agent where agents are compared. */
export function namesOf(cases: readonly CaseComparison[]): (one: CaseComparison) => string {
  const several = new Set(cases.map(({ suite }) => suite)).size > 1;
  return ({ suite, test_id, agent }) =>
    `${several ? `${suite} › ` : ""}${test_id}${agent === "" ? "" : ` [${agent}]`}`;
}

/** Returns `9/10`, or why there is no such figure. */
export function fraction(side: SideOfCase | null): string {
  if (side === null) return "–";
  return side.runs === 0 ? "unevaluated" : `${formatCount(side.passed)}/${formatCount(side.runs)}`;
}

function change({ before, after: now }: CaseComparison): string {
  return `${fraction(before)} → ${fraction(now)}`;
}

function undecidedFinding(name: string, one: CaseComparison): string {
  const turn = one.after?.outcome === "fail" ? "pass → fail" : "fail → pass";
  const { runs_needed: runs = null } = one;
  const next =
    runs === null
      ? "its runs do not differ"
      : `about ${plural(runs, "run")} before and after would show such a change`;
  return `${name}: ${turn} (${change(one)}), not significant: ${next}`;
}

function unknownFinding(name: string, { before, after: now }: CaseComparison): string {
  const where = now?.outcome === "unevaluated" ? "now" : "before";
  const side = where === "now" ? now : before;
  const runs = (side?.runs ?? 0) + (side?.unevaluated ?? 0);
  const share = `${formatCount(side?.unevaluated ?? 0)} of ${plural(runs, "run")}`;
  return `${name}: could not be evaluated ${where} (${share})`;
}

function overallFindings({ cases, overall, alpha }: Compared): string[] {
  const { only_before: worse, only_after: better, detectable_flips: flips } = overall;
  if (worse === 0 && better === 0) return [];
  const suites = new Set(cases.map(({ suite }) => suite));
  const [only] = suites;
  const who = suites.size === 1 && only !== undefined ? only : "all suites";
  const what = `${who}: ${plural(worse, "case")} flipped to fail, ${formatCount(better)} to pass`;
  const { p_worse_adjusted: pWorse = 1, p_better_adjusted: pBetter = 1 } = overall;
  if (pWorse <= alpha) return [`${what}: worse over all (${after(pWorse)})`];
  if (pBetter <= alpha) return [`${what}: better over all (${after(pBetter)})`];
  return [`${what}; not significant over all: ${formatCount(flips)} one-way flips would be needed`];
}

const MEASURES: Record<
  Measure["name"],
  { what: string; format: (value: number) => string; up: string; down: string }
> = {
  score: { what: "score", format: (value) => value.toFixed(1), up: "higher", down: "lower" },
  latency_ms: { what: "p50 latency", format: formatTime, up: "slower", down: "faster" },
  cost_usd: { what: "cost of a run", format: formatCost, up: "dearer", down: "cheaper" },
};

function measureFinding({ name, before, after: now, p_adjusted }: Measure): string {
  const { what, format, up, down } = MEASURES[name];
  return `${what}: ${format(before)} → ${format(now)}, ${now > before ? up : down} (${after(p_adjusted)})`;
}

function leftOutFindings(
  cases: readonly CaseComparison[],
  { before, after: now }: { before: ResultSet; after: ResultSet },
): string[] {
  const count = (side: "before" | "after"): number =>
    cases.reduce((sum, one) => sum + (one[side]?.unevaluated ?? 0), 0);
  const [first, second] = [count("before"), count("after")];
  return [
    ...(first + second === 0
      ? []
      : [
          `left out, because they could not be evaluated: ${plural(first, "run")} before, ${plural(second, "run")} now`,
        ]),
    ...incompleteFindings(before, now),
  ];
}

function incompleteFindings(before: ResultSet, now: ResultSet): string[] {
  // Two agents of one invocation share the reason.
  if (before.incomplete !== undefined && before.incomplete === now.incomplete)
    return [`the results are incomplete: ${now.incomplete}`];
  return [before, now].flatMap(({ name, incomplete }) =>
    incomplete === undefined ? [] : [`${name} is incomplete: ${incomplete}`],
  );
}

/** Says how small a drop would have been found, without which "no regression" would mean nothing. */
function detectable({ cases, overall }: Compared): string[] {
  const common = cases.filter(({ p_worse }) => p_worse !== null);
  if (common.length === 0) return [];
  const drop = medianOf(common.map(({ detectable_drop }) => detectable_drop ?? Infinity)) ?? Infinity;
  const { detectable_flips: flips, cases: compared } = overall;
  const together =
    flips <= compared
      ? `${formatCount(flips)} of ${plural(compared, "case")} flipping one way`
      : `nothing over all, where ${formatCount(flips)} cases would have to flip one way and there are ${formatCount(compared)}`;
  const single =
    drop === Infinity
      ? "no drop of a single case, which has too few runs"
      : `a drop of a single case by ${Math.ceil(drop * 100)} points (4 times out of 5)`;
  return [`what these runs could show: ${together}; ${single}`];
}

function lines(cases: readonly CaseComparison[], say: (one: CaseComparison) => string): string[] {
  const more = cases.length - MAX_LINES;
  const said = cases.slice(0, MAX_LINES).map(say);
  return more > 0 ? [...said, `… and ${plural(more, "case")} more like that`] : said;
}

function listed(
  cases: readonly CaseComparison[],
  [one, several]: [one: string, several: string],
  say: (one: CaseComparison) => string,
): string[] {
  if (cases.length === 0) return [];
  const names = cases.slice(0, MAX_NAMES).map(say);
  const more = cases.length - names.length;
  const what = `${formatCount(cases.length)} ${cases.length === 1 ? one : several}`;
  return [`${what}: ${names.join(", ")}${more > 0 ? `, … and ${formatCount(more)} more` : ""}`];
}
