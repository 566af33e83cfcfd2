// Cases of two sets of results, one below the other: what changed, and what the exact test says of it.
import type { CaseComparison, SideOfCase } from "../../api/gen/schema.ts";
import { Interval } from "../../components/interval.tsx";
import { count, percent } from "../../components/format.ts";
import { VerdictMark } from "../../components/status.tsx";
import { VirtualRows } from "../../components/virtual-rows.tsx";
import type { QueryState } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { caseIdOf } from "./case-id.ts";
import { pValue } from "./comparison-summary.tsx";
import { caseHref } from "./evaluation-href.ts";
import type { CaseCell } from "./evaluation-state.ts";

const ROW = 44;
const CHANGES = ["regressed", "improved", "undecided", "new", "missing", "unchanged"] as const;

interface ComparedCasesProps {
  cases: readonly CaseComparison[];
  /** Id of the evaluation whose cases can be opened, and its cases. */
  after: string;
  cells: ReadonlyMap<string, CaseCell>;
  query: QueryState;
  /** Name of the parameter in the address with which a change is chosen. */
  name?: string;
}

export function ComparedCases({ cases, after, cells, query, name = "change" }: ComparedCasesProps) {
  const chosen = query.get(name);
  const sorted = cases.toSorted((a, b) => CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change));
  const shown = chosen === "" ? sorted : sorted.filter(({ change }) => change === chosen);
  return (
    <section>
      <div class="section-head">
        <h2>{texts.comparison.cases}</h2>
        <div class="filter-row">
          {CHANGES.map((change) => {
            const found = cases.filter((one) => one.change === change).length;
            return (
              found > 0 && (
                <button
                  key={change}
                  type="button"
                  class="chip"
                  aria-pressed={chosen === change}
                  onClick={() => query.set({ [name]: chosen === change ? undefined : change })}
                >
                  {texts.evaluations.changes[change]} <span class="quiet">{count(found)}</span>
                </button>
              )
            );
          })}
        </div>
      </div>
      <div class="compared" role="table" aria-label={texts.comparison.cases}>
        <VirtualRows
          class="compared-rows"
          role="rowgroup"
          label={texts.comparison.cases}
          count={shown.length}
          height={ROW}
          row={(index) => {
            const one = shown[index];
            if (one === undefined) return null;
            const id = one.after === null ? undefined : caseIdOf(cells, one);
            return (
              <Row
                one={one}
                href={id === undefined ? undefined : caseHref(after, id, { tab: "comparison" })}
              />
            );
          }}
        />
      </div>
    </section>
  );
}

function Row({ one, href }: { one: CaseComparison; href: string | undefined }) {
  const { change, suite, test_id, agent, edited } = one;
  const name = `${suite} / ${test_id}`;
  return (
    <div class="compared-row" role="row">
      <span role="cell" class={`change-${change}`}>
        {texts.evaluations.changes[change]}
      </span>
      <span role="rowheader" class="compared-name">
        {href === undefined ? <span dir="auto">{name}</span> : <a href={href}>{name}</a>}
        <span class="quiet"> {agent}</span>
        {edited && <span class="warn-text"> {texts.comparison.edited}</span>}
      </span>
      <span role="cell" class="compared-side">
        <Side side={one.before} />
      </span>
      <span role="cell" class="compared-side">
        <Side side={one.after} />
      </span>
      <span role="cell" class="quiet compared-words">
        {wordsOf(one)}
      </span>
    </div>
  );
}

export function Side({ side }: { side: SideOfCase | null }) {
  if (side === null) return <span class="quiet">–</span>;
  return (
    <span class={`side-of-case tone-${side.outcome}`}>
      <VerdictMark verdict={side.outcome} bare />
      <span>{side.rate === null ? "–" : percent(side.rate, 1)}</span>
      {side.rate !== null && <Interval value={side.rate} low={side.low} high={side.high} />}
      <span class="quiet">{texts.comparison.of(side.passed, side.runs)}</span>
    </span>
  );
}

/** Returns what Fisher's exact test says, or what it would need to say something. */
export function wordsOf({
  change,
  p_worse_adjusted,
  p_better_adjusted,
  detectable_drop,
  runs_needed,
}: CaseComparison): string {
  const words = texts.comparison;
  if (change === "improved") return words.fisherBetter(pValue(p_better_adjusted));
  const parts = [
    ...(p_worse_adjusted === null ? [] : [words.fisherWorse(pValue(p_worse_adjusted))]),
    ...(runs_needed == null ? [] : [words.runsNeeded(runs_needed)]),
    ...(change !== "unchanged" || detectable_drop === null ? [] : [words.drop(percent(detectable_drop, 1))]),
  ];
  return parts.join("; ");
}
