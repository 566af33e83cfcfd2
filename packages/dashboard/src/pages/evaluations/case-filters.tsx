// What narrows and orders the table of cases. All of it stands in the address.
import type { RefObject } from "preact";
import { FilterChips } from "../../components/filter-chips.tsx";
import { SearchField } from "../../components/search-field.tsx";
import type { QueryState } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { CHANGES, ORDERS, VERDICTS, VIEW_NAMES } from "./case-view.ts";
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
  const changes = CHANGES.filter((change) => cells.some((cell) => cell.change === change));
  return (
    <div class="filter-row case-filters">
      <SearchField query={query} name="q" label={texts.evaluations.search} field={search} />
      <FilterChips
        query={query}
        name="verdict"
        values={VERDICTS}
        words={texts.verdicts}
        found={(verdict) => cells.filter((cell) => cell.verdict === verdict).length}
        many
      />
      <FilterChips
        query={query}
        name="change"
        values={changes}
        words={texts.evaluations.changes}
        found={(change) => cells.filter((cell) => cell.change === change).length}
        many
      />
      {agents.length > 1 && (
        <select
          class="input"
          aria-label={texts.evaluations.agent}
          value={query.get("agent")}
          onChange={({ currentTarget }) => query.set({ agent: currentTarget.value })}
        >
          <option value="">{texts.runs.anyAgent}</option>
          {agents.map((agent) => (
            <option key={agent} value={agent}>
              {agent}
            </option>
          ))}
        </select>
      )}
      <select
        class="input"
        aria-label={texts.runs.order}
        value={query.get("order")}
        onChange={({ currentTarget }) => query.set({ order: currentTarget.value })}
      >
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
