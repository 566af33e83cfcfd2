// All runs, live: filters in the address, at most a screen of rows in the document, actions on many.
import { useLocation } from "preact-iso";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { generation } from "../../api/live.ts";
import { token } from "../../api/token.ts";
import { count } from "../../components/format.ts";
import { Failed, Loading } from "../../components/notice.tsx";
import { VirtualRows } from "../../components/virtual-rows.tsx";
import { useKeys } from "../../state/keys.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { FirstSteps } from "../../components/first-steps.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { FILTER_NAMES, filterOf } from "./filter.ts";
import { FilterBar } from "./filter-bar.tsx";
import { openRunList } from "./run-list.ts";
import { RunRow, runHref } from "./run-row.tsx";
import "./runs.css";

const ROW_HEIGHT = 36;
/** Number of rows left at which the next page is requested. */
const AHEAD = 60;

export function RunsPage() {
  const query = useQuery();
  const { route } = useLocation();
  const key = FILTER_NAMES.map((name) => query.get(name)).join("\n");
  const filter = useMemo(() => filterOf(query), [key]);
  const list = useMemo(() => openRunList(filter), [key, generation.value, token.value]);
  useEffect(() => () => list.close(), [list]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => setSelected(new Set()), [list]);
  const [current, setCurrent] = useState(-1);
  const search = useRef<HTMLInputElement>(null);
  const { items, more, loading, error } = list.state.value;
  const at = items[current];

  function select(id: string, chosen: boolean): void {
    const next = new Set(selected);
    if (chosen) next.add(id);
    else next.delete(id);
    setSelected(next);
  }
  const move = (by: number) => () =>
    setCurrent((before) => Math.min(items.length - 1, Math.max(0, before + by)));
  useKeys([
    { key: "j", does: texts.keys.next, act: move(1) },
    { key: "k", does: texts.keys.previous, act: move(-1) },
    { key: "ArrowDown", does: texts.keys.next, act: move(1) },
    { key: "ArrowUp", does: texts.keys.previous, act: move(-1) },
    { key: "Enter", does: texts.keys.open, act: () => at && route(runHref(at.id)) },
    { key: "x", does: texts.keys.select, act: () => at && select(at.id, !selected.has(at.id)) },
    { key: "/", does: texts.keys.search, act: () => search.current?.focus() },
  ]);

  const isFiltered = key.trim() !== "";
  return (
    <div class="runs-page">
      <div class="page-head">
        <h1>{texts.runs.title}</h1>
        <span class="quiet">{texts.runs.loaded(count(items.length), more)}</span>
        <BulkActions
          list={list}
          filter={filter}
          selected={selected}
          onSelect={(ids) => setSelected(new Set(ids))}
        />
      </div>
      <FilterBar query={query} search={search} />
      {error !== undefined && <Failed error={error} retry={() => void list.loadMore()} />}
      {items.length === 0 && loading && <Loading />}
      {items.length === 0 && !loading && error === undefined && !isFiltered && <FirstSteps />}
      {items.length === 0 && !loading && error === undefined && isFiltered && (
        <p class="quiet">{texts.runs.empty}</p>
      )}
      {items.length > 0 && (
        <div class="runs-table" role="table" aria-label={texts.runs.title} aria-rowcount={-1}>
          <Head />
          <VirtualRows
            class="runs-rows"
            role="rowgroup"
            label={texts.runs.title}
            count={items.length}
            height={ROW_HEIGHT}
            fixed
            show={current}
            keyOf={(index) => items[index]?.id ?? index}
            onRange={(_, last) => void (last > items.length - AHEAD && list.loadMore())}
            row={(index) => {
              const run = items[index];
              return (
                run && (
                  <RunRow
                    run={run}
                    current={index === current}
                    selected={selected.has(run.id)}
                    onSelect={(chosen) => select(run.id, chosen)}
                  />
                )
              );
            }}
          />
        </div>
      )}
    </div>
  );
}

function Head() {
  const { status, task, agent, started, took, cost, tokens } = texts.runs.columns;
  return (
    <div role="rowgroup">
      <div class="run-row run-head" role="row">
        <span role="columnheader" class="run-check">
          <span class="hidden-text">{texts.keys.select}</span>
        </span>
        <span role="columnheader" class="run-status">
          {status}
        </span>
        <span role="columnheader" class="run-task">
          {task}
        </span>
        <span role="columnheader" class="run-agent">
          {agent}
        </span>
        <span role="columnheader" class="run-time">
          {started}
        </span>
        <span role="columnheader" class="run-took number">
          {took}
        </span>
        <span role="columnheader" class="run-cost number">
          {cost}
        </span>
        <span role="columnheader" class="run-tokens number">
          {tokens}
        </span>
      </div>
    </div>
  );
}
