// Two evaluations side by side: what got worse, with the words and figures of `proctor compare`, case by case.
import { useRoute } from "preact-iso";
import { hub } from "../../api/hub.ts";
import type { CaseComparison, SideOfCase } from "../../api/gen/schema.ts";
import { Interval } from "../../components/interval.tsx";
import { count, percent } from "../../components/format.ts";
import { Failed, Loading } from "../../components/notice.tsx";
import { VerdictMark } from "../../components/status.tsx";
import { VirtualRows } from "../../components/virtual-rows.tsx";
import { useLoad } from "../../state/use-load.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { ComparisonSummary, pValue } from "./comparison-summary.tsx";
import { caseHref, comparisonHref, evaluationHref } from "./evaluation-href.ts";
import { caseIdOf } from "./case-id.ts";
import { evaluationState } from "./evaluation-state.ts";
import "./evaluations.css";

const ROW = 44;
const CHANGES = ["regressed", "improved", "undecided", "new", "missing", "unchanged"] as const;

export function ComparisonPage() {
  usePageTitle(texts.comparison.title);
  const { params } = useRoute();
  const before = params["id"] ?? "";
  const after = params["other"] ?? "";
  const query = useQuery();
  const loaded = useLoad(`compare ${before} ${after}`, (signal) =>
    hub.compareEvaluations(before, after, signal),
  );
  const state = evaluationState(after);
  const comparison = loaded.value;
  if (comparison === undefined) {
    return loaded.error === undefined ? <Loading /> : <Failed error={loaded.error} retry={loaded.reload} />;
  }
  const chosen = query.get("change");
  const sorted = comparison.cases.toSorted((a, b) => CHANGES.indexOf(a.change) - CHANGES.indexOf(b.change));
  const shown = chosen === "" ? sorted : sorted.filter(({ change }) => change === chosen);
  const cells = state.cells.value;
  return (
    <div class="comparison-page">
      <div class="page-head">
        <h1>{texts.comparison.title}</h1>
        <div class="actions">
          <a class="button plain" href={evaluationHref(before)}>
            {texts.comparison.openBefore}
          </a>
          <a class="button plain" href={evaluationHref(after)}>
            {texts.comparison.openAfter}
          </a>
          <a class="button" href={comparisonHref(after, before)}>
            {texts.comparison.swap}
          </a>
        </div>
      </div>
      <ComparisonSummary comparison={comparison} />
      <section>
        <div class="section-head">
          <h2>{texts.comparison.cases}</h2>
          <div class="filter-row">
            {CHANGES.map((change) => {
              const found = comparison.cases.filter((one) => one.change === change).length;
              return (
                found > 0 && (
                  <button
                    key={change}
                    type="button"
                    class="chip"
                    aria-pressed={chosen === change}
                    onClick={() => query.set({ change: chosen === change ? undefined : change })}
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
    </div>
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

/** What Fisher's exact test says, or what it would need to say something. */
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
