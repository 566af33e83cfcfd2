// What narrows and orders the table of cases. All of it stands in the address.
import type { RefObject } from "preact";
import { count } from "../../components/format.ts";
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
      <input
        ref={search}
        type="search"
        class="input search"
        placeholder={texts.evaluations.search}
        aria-label={texts.evaluations.search}
        value={query.get("q")}
        onInput={({ currentTarget }) => query.set({ q: currentTarget.value }, "replace")}
      />
      {VERDICTS.map((verdict) => (
        <Chip
          key={verdict}
          query={query}
          name="verdict"
          value={verdict}
          text={texts.verdicts[verdict]}
          found={cells.filter((cell) => cell.verdict === verdict).length}
        />
      ))}
      {changes.map((change) => (
        <Chip
          key={change}
          query={query}
          name="change"
          value={change}
          text={texts.evaluations.changes[change]}
          found={cells.filter((cell) => cell.change === change).length}
        />
      ))}
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

interface ChipProps {
  query: QueryState;
  name: string;
  value: string;
  text: string;
  found: number;
}

function Chip({ query, name, value, text, found }: ChipProps) {
  const chosen = query.get(name).split(",").filter(Boolean);
  const isChosen = chosen.includes(value);
  const next = isChosen ? chosen.filter((one) => one !== value) : [...chosen, value];
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={isChosen}
      onClick={() => query.set({ [name]: next.join(",") })}
    >
      {text} <span class="quiet">{count(found)}</span>
    </button>
  );
}
