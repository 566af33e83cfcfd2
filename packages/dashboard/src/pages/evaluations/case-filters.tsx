// What narrows and orders the table of cases. All of it stands in the address.
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { FilterChips } from "../../components/filter-chips.tsx";
import { SearchField } from "../../components/search-field.tsx";
import type { QueryState } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { CHANGES, isFlaky, ORDERS, VERDICTS, VIEW_NAMES } from "./case-view.ts";
import { columnOf } from "./order-cells.ts";
import type { CaseCell } from "./evaluation-state.ts";

interface CaseFiltersProps {
  query: QueryState;
  cells: readonly CaseCell[];
  agents: readonly string[];
  search: RefObject<HTMLInputElement | null>;
}

export function CaseFilters({ query, cells, agents, search }: CaseFiltersProps) {
  const clear = Object.fromEntries(VIEW_NAMES.map((name) => [name, undefined]));
  const isFiltered = VIEW_NAMES.some((name) => name !== "order" && query.get(name) !== "");
  const flaky = cells.filter(isFlaky).length;
  const [suites, tags] = useMemo(
    () => [
      [...new Set(cells.map(({ suite }) => suite))],
      [...new Set(cells.flatMap(({ more }) => more?.tags ?? []))],
    ],
    [cells],
  );
  const changes = CHANGES.filter((change) => cells.some((cell) => cell.change === change));
  const withVerdict = (verdict: (typeof VERDICTS)[number]): number =>
    cells.filter((cell) => cell.verdict === verdict).length;
  return (
    <div class="filter-row case-filters">
      <SearchField query={query} name="q" label={texts.evaluations.search} field={search} />
      <FilterChips
        query={query}
        name="verdict"
        values={VERDICTS.filter((verdict) => verdict !== "not_run" || withVerdict(verdict) > 0)}
        words={texts.verdicts}
        found={withVerdict}
        many
      />
      {flaky > 0 && (
        <FilterChips
          query={query}
          name="flaky"
          values={["yes"]}
          words={{ yes: texts.evaluations.flakyCases }}
          found={() => flaky}
        />
      )}
      <FilterChips
        query={query}
        name="change"
        values={changes}
        words={texts.evaluations.changes}
        found={(change) => cells.filter((cell) => cell.change === change).length}
        many
      />
      <Choice
        query={query}
        name="agent"
        label={texts.evaluations.agent}
        any={texts.runs.anyAgent}
        values={agents}
      />
      <Choice
        query={query}
        name="suite"
        label={texts.evaluations.suite}
        any={texts.evaluations.anySuite}
        values={suites}
      />
      <Choice
        query={query}
        name="tag"
        label={texts.evaluations.tag}
        any={texts.evaluations.anyTag}
        values={tags}
      />
      <select
        class="input"
        aria-label={texts.runs.order}
        value={query.get("order")}
        onChange={({ currentTarget }) => query.set({ order: currentTarget.value })}
      >
        {columnOf(query.get("order")) !== undefined && (
          <option value={query.get("order")}>{texts.evaluations.byColumn}</option>
        )}
        {ORDERS.map((order, index) => (
          <option key={order} value={index === 0 ? "" : order}>
            {texts.evaluations.orders[order]}
          </option>
        ))}
      </select>
      {isFiltered && (
        <a class="button plain" href={query.href(clear)}>
          {texts.runs.clear}
        </a>
      )}
    </div>
  );
}

interface ChoiceProps {
  query: QueryState;
  name: string;
  label: string;
  /** What is shown while nothing is chosen. */
  any: string;
  values: readonly string[];
}

/** A choice of one is none. */
function Choice({ query, name, label, any, values }: ChoiceProps) {
  if (values.length < 2) return null;
  return (
    <select
      class="input"
      aria-label={label}
      value={query.get(name)}
      onChange={({ currentTarget }) => query.set({ [name]: currentTarget.value })}
    >
      <option value="">{any}</option>
      {values.map((value) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </select>
  );
}
