// All evaluations, newest first, live while suites run. Two that are chosen can be compared.
import { useLocation } from "preact-iso";
import { useEffect, useMemo, useState } from "preact/hooks";
import { generation } from "../../api/live.ts";
import { token } from "../../api/token.ts";
import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/empty.tsx";
import { FilterChips } from "../../components/filter-chips.tsx";
import { Failed, Loading } from "../../components/notice.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { useKeys } from "../../state/keys.ts";
import { useChosenTwo } from "../../state/use-chosen-two.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { useQuery, type QueryState } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { comparisonHref, evaluationHref } from "./evaluation-href.ts";
import { openEvaluationList, type EvaluationFilter } from "./evaluation-list.ts";
import { EvaluationRow } from "./evaluation-row.tsx";
import "./evaluations.css";

const FILTER_NAMES = ["suite", "agent", "status"] as const;
const STATUSES = ["running", "completed", "interrupted"] as const;

export function EvaluationsPage() {
  usePageTitle(texts.evaluations.title);
  const query = useQuery();
  const { route } = useLocation();
  const key = FILTER_NAMES.map((name) => query.get(name)).join("\n");
  const list = useMemo(() => openEvaluationList(filterOf(query)), [key, generation.value, token.value]);
  useEffect(() => () => list.close(), [list]);
  const { chosen, choose } = useChosenTwo();
  const [current, setCurrent] = useState(-1);
  const { items, more, loading, error } = list.state.value;
  const move = (by: number) => () =>
    setCurrent((before) => Math.min(items.length - 1, Math.max(0, before + by)));
  useKeys([
    { key: "j", does: texts.keys.next, act: move(1) },
    { key: "k", does: texts.keys.previous, act: move(-1) },
    {
      key: "Enter",
      does: texts.keys.open,
      act: () => items[current] && route(evaluationHref(items[current].id)),
    },
  ]);
  // The older one is what it was before.
  const pair = items
    .filter(({ id }) => chosen.includes(id))
    .map(({ id }) => id)
    .toReversed();
  const isFiltered = key.trim() !== "";
  const isEmpty = items.length === 0 && !loading && error === undefined;
  return (
    <>
      <div class="page-head">
        <h1>{texts.evaluations.title}</h1>
        <Filters query={query} />
        <div class="actions">
          {chosen.length > 0 && (
            <Button
              kind="main"
              disabled={pair.length !== 2}
              title={texts.evaluations.chooseTwo}
              onPress={() => route(comparisonHref(pair[0] ?? "", pair[1] ?? ""))}
            >
              {texts.evaluations.compare}
            </Button>
          )}
        </div>
      </div>
      {error !== undefined && <Failed error={error} retry={() => void list.loadMore()} />}
      {items.length === 0 && loading && <Loading />}
      {isEmpty && (isFiltered ? <p class="quiet">{texts.evaluations.noneFit}</p> : <NoEvaluation />)}
      {items.length > 0 && (
        <Table label={texts.evaluations.title} kind="evaluations" columns={COLUMNS}>
          {items.map((evaluation, index) => (
            <EvaluationRow
              key={evaluation.id}
              evaluation={evaluation}
              current={index === current}
              chosen={chosen.includes(evaluation.id)}
              onChoose={(isChosen) => choose(evaluation.id, isChosen)}
            />
          ))}
        </Table>
      )}
      {items.length > 0 && more && (
        <p class="more">
          <Button disabled={loading} onPress={() => list.loadMore()}>
            {texts.more}
          </Button>
        </p>
      )}
    </>
  );
}

function filterOf({ get }: QueryState): EvaluationFilter {
  return Object.fromEntries(FILTER_NAMES.filter((name) => get(name) !== "").map((name) => [name, get(name)]));
}

function Filters({ query }: { query: QueryState }) {
  return (
    <div class="filter-row">
      <FilterChips query={query} name="status" values={STATUSES} words={texts.evaluations.status} />
      {(["suite", "agent"] as const).map(
        (name) =>
          query.get(name) !== "" && (
            <a key={name} class="chip" href={query.href({ [name]: undefined })} title={texts.runs.dropFilter}>
              {texts.evaluations[name]} <bdi>{query.get(name)}</bdi> ×
            </a>
          ),
      )}
    </div>
  );
}

const { result, name, cases, change, agents, started, took, cost } = texts.evaluations.columns;
const COLUMNS: readonly Column[] = [
  { hidden: texts.keys.select },
  result,
  name,
  cases,
  change,
  [agents, "wide-only"],
  started,
  [took, "number"],
  [cost, "number wide-only"],
];

function NoEvaluation() {
  const { emptyTitle, emptyText } = texts.evaluations;
  return <Empty title={emptyTitle} text={emptyText} command="proctor test suites/" />;
}
