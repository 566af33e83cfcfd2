// One evaluation: how it came out, tests × agents with what failed first, and how it compares. Live while the suites run.
import { useLocation, useRoute } from "preact-iso";
import { useMemo, useRef, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { count } from "../../components/format.ts";
import { hub } from "../../api/hub.ts";
import { pagePath } from "../../api/address.ts";
import { Failed, Loading } from "../../components/notice.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useKeys } from "../../state/keys.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { CaseFilters } from "./case-filters.tsx";
import { viewOf } from "./case-view.ts";
import { BaselineComparison } from "./baseline-comparison.tsx";
import { CompareWith } from "./compare-with.tsx";
import { caseHref } from "./evaluation-href.ts";
import { EvaluationHead } from "./evaluation-head.tsx";
import { evaluationState } from "./evaluation-state.ts";
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
  const first = (): string | undefined => view.rows[current]?.cells.values().next().value?.id;
  const move = (by: number) => () =>
    setCurrent((before) => Math.min(view.rows.length - 1, Math.max(0, before + by)));
  useKeys([
    { key: "j", does: texts.keys.next, act: move(1) },
    { key: "k", does: texts.keys.previous, act: move(-1) },
    { key: "/", does: texts.keys.search, act: () => search.current?.focus() },
    {
      key: "Enter",
      does: texts.keys.open,
      act: () => {
        const open = first();
        if (open !== undefined) route(caseHref(id, open, viewQuery(query)));
      },
    },
  ]);
  usePageTitle(evaluation?.name ?? texts.evaluations.title);
  if (state.isRemoved.value) return <p class="quiet">{texts.evaluations.removed}</p>;
  if (evaluation === undefined) {
    return state.error.value === undefined ? (
      <Loading />
    ) : (
      <Failed error={state.error.value} retry={() => void state.load()} />
    );
  }
  const tab = query.get("tab") === "comparison" ? "comparison" : "matrix";
  return (
    <div class={tab === "matrix" ? "evaluation-page tall" : "evaluation-page"}>
      <EvaluationHead evaluation={evaluation}>
        <CompareWith evaluation={evaluation} />
        {evaluation.status !== "running" && (
          <Button kind="plain" onPress={() => setRemoving(true)}>
            {texts.evaluations.remove}
          </Button>
        )}
      </EvaluationHead>
      <Tabs
        label={texts.evaluations.views}
        query={query}
        current={tab}
        tabs={[
          { id: "matrix", title: texts.evaluations.matrix, count: all.length },
          { id: "comparison", title: texts.evaluations.comparison },
        ]}
      />
      {state.error.value !== undefined && (
        <Failed error={state.error.value} retry={() => void state.load()} />
      )}
      {tab === "comparison" && <BaselineComparison evaluation={evaluation} />}
      {tab === "matrix" && (
        <>
          <CaseFilters query={query} cells={all} agents={evaluation.agents} search={search} />
          {view.rows.length > 0 ? (
            <Matrix
              view={view}
              current={current}
              hrefOf={(cell) => caseHref(id, cell.id, viewQuery(query))}
            />
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
