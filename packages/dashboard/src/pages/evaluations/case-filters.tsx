// What narrows and orders the table of cases. All of it stands in the address.
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { count } from "../../components/format.ts";
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
      {VERDICTS.map((verdict) => {
        const found = cells.filter((cell) => cell.verdict === verdict).length;
        const isRare = verdict === "not_run" && found === 0;
        return (
          !isRare && (
            <Chip
              key={verdict}
              query={query}
              name="verdict"
              value={verdict}
              text={texts.verdicts[verdict]}
              found={found}
            />
          )
        );
      })}
      {flaky > 0 && (
        <Chip query={query} name="flaky" value="yes" text={texts.evaluations.flakyCases} found={flaky} />
      )}
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
