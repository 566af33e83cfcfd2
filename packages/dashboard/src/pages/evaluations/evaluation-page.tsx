// One evaluation: how it came out, tests × agents with what failed first, and how it compares. Live while the suites run.
import { useLocation, useRoute } from "preact-iso";
import { useMemo, useRef, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { count } from "../../components/format.ts";
import { hub } from "../../api/hub.ts";
import { pagePath } from "../../api/address.ts";
import { Failed, NotLoaded } from "../../components/notice.tsx";
import type { Evaluation } from "../../api/gen/schema.ts";
import { moreOf } from "../../api/more.ts";
import { source } from "../../api/source.ts";
import { Tabs, type Tab } from "../../components/tabs.tsx";
import { useKeys } from "../../state/keys.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { CaseFilters } from "./case-filters.tsx";
import { CaseList } from "./case-list.tsx";
import { Contests } from "./contests.tsx";
import { Distributions, hasFigures } from "./distributions.tsx";
import { viewOf } from "./case-view.ts";
import { BaselineComparison } from "./baseline-comparison.tsx";
import { CompareWith } from "./compare-with.tsx";
import { caseHref } from "./evaluation-href.ts";
import { EvaluationHead } from "./evaluation-head.tsx";
import { evaluationState, type CaseCell } from "./evaluation-state.ts";
import { Matrix } from "./matrix.tsx";
import { viewQuery } from "./view-query.ts";
import "./evaluations.css";

export function EvaluationPage() {
  const id = useRoute().params["id"] ?? "";
  const query = useQuery();
  const { route } = useLocation();
  const state = evaluationState(id);
  const search = useRef<HTMLInputElement>(null);
  const [current, setCurrent] = useState(-1);
  const [removing, setRemoving] = useState(false);
  const evaluation = state.evaluation.value;
  const cells = state.cells.value;
  const all = useMemo(() => [...cells.values()], [cells]);
  const view = useMemo(
    () => viewOf(all, evaluation?.agents ?? [], query),
    [all, evaluation?.agents, query.href({})],
  );
  const contests = (evaluation && moreOf("evaluation", evaluation)?.contests) ?? [];
  const tabs = tabsOf(evaluation, all, contests.length);
  const tab = tabs.find(({ id: name }) => name === query.get("tab"))?.id ?? tabs[0]?.id ?? "matrix";
  const isList = tab === "cases";
  const rowCount = isList ? view.cells.length : view.rows.length;
  const first = (): string | undefined =>
    isList ? view.cells[current]?.id : view.rows[current]?.cells.values().next().value?.id;
  const move = (by: number) => () => {
    // Enter then opens the row, instead of pressing the button that has the focus.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    setCurrent((before) => Math.min(rowCount - 1, Math.max(0, before + by)));
  };
  useKeys([
    { key: "j", does: texts.keys.next, act: move(1) },
    { key: "k", does: texts.keys.previous, act: move(-1) },
    { key: "/", does: texts.keys.search, act: () => search.current?.focus() },
    {
      key: "Enter",
      does: texts.keys.open,
      act: () => {
        const open = first();
        if (open !== undefined) route(caseHref(id, open, { ...viewQuery(query), from: query.get("tab") }));
      },
    },
  ]);
  usePageTitle(evaluation?.name ?? texts.evaluations.title);
  if (state.isRemoved.value) return <p class="quiet">{texts.evaluations.removed}</p>;
  if (evaluation === undefined)
    return <NotLoaded of={{ error: state.error.value, reload: () => void state.load() }} />;
  const hrefOf = (cell: CaseCell): string =>
    caseHref(id, cell.id, { ...viewQuery(query), from: query.get("tab") });
  const isTable = tab === "matrix" || tab === "cases";
  return (
    <div class={isTable ? "evaluation-page tall" : "evaluation-page"}>
      <EvaluationHead evaluation={evaluation}>
        {source().isHub && <CompareWith evaluation={evaluation} />}
        {source().isHub && evaluation.status !== "running" && (
          <Button kind="plain" onPress={() => setRemoving(true)}>
            {texts.evaluations.remove}
          </Button>
        )}
      </EvaluationHead>
      <Tabs label={texts.evaluations.views} query={query} current={tab} tabs={tabs} />
      {state.error.value !== undefined && (
        <Failed error={state.error.value} retry={() => void state.load()} />
      )}
      {tab === "comparison" && <BaselineComparison evaluation={evaluation} />}
      {tab === "contests" && <Contests contests={contests} />}
      {tab === "distributions" && (
        <>
          <CaseFilters query={query} cells={all} agents={evaluation.agents} search={search} />
          <Distributions cells={view.cells} hrefOf={hrefOf} />
        </>
      )}
      {isTable && (
        <>
          <CaseFilters query={query} cells={all} agents={evaluation.agents} search={search} />
          {rowCount > 0 ? (
            <>
              {view.cells.length < all.length && (
                <p class="quiet found" role="status">
                  {texts.evaluations.found(count(view.cells.length), count(all.length))}
                </p>
              )}
              {isList ? (
                <CaseList cells={view.cells} all={all} query={query} current={current} hrefOf={hrefOf} />
              ) : (
                <Matrix view={view} current={current} hrefOf={hrefOf} />
              )}
            </>
          ) : (
            <p class="quiet" role="status">
              {state.isRead.value ? texts.evaluations.noCases(count(all.length)) : texts.loading}
            </p>
          )}
        </>
      )}
      {removing && (
        <Dialog title={texts.evaluations.remove} onClose={() => setRemoving(false)}>
          <p>{texts.evaluations.removeQuestion}</p>
          <div class="row-of-buttons">
            <Button onPress={() => setRemoving(false)}>{texts.cancel}</Button>
            <Button
              kind="danger"
              onPress={async () => {
                await hub.removeEvaluation(id);
                route(pagePath("evaluations"));
              }}
            >
              {texts.runs.remove}
            </Button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

/** Returns the tabs. The table needs several agents to say more than the list; the list needs what only a report says. */
function tabsOf(evaluation: Evaluation | undefined, all: readonly CaseCell[], contests: number): Tab[] {
  const { agents = [], comparison = null } = evaluation ?? {};
  const isListed = all.some(({ more }) => more !== undefined);
  const titles = texts.evaluations;
  return [
    ...(isListed && agents.length < 2 ? [] : [{ id: "matrix", title: titles.matrix, count: all.length }]),
    ...(isListed ? [{ id: "cases", title: titles.casesTab, count: all.length }] : []),
    ...(hasFigures(all) ? [{ id: "distributions", title: titles.distributions }] : []),
    // A hub has other evaluations to compare with.
    ...(comparison !== null || source().isHub ? [{ id: "comparison", title: titles.comparison }] : []),
    ...(contests > 0 ? [{ id: "contests", title: titles.contests, count: contests }] : []),
  ];
}
