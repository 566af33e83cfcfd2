// What narrows and orders the table of cases. All of it stands in the address.
import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { ChoiceField } from "../../components/choice-field.tsx";
import { FilterChips } from "../../components/filter-chips.tsx";
import { SearchField } from "../../components/search-field.tsx";
import type { QueryState } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { CHANGES, isFlaky, ORDERS, VERDICTS, VIEW_NAMES } from "./case-view.ts";
import type { CaseCell } from "./evaluation-state.ts";

/** Words for the orders, by their names in the address; an order by a column has none. */
const WORDS: Partial<Record<string, string>> = texts.evaluations.orders;

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
  /** Fields to choose by; one with a single value is left out. */
  const choices = [
    { name: "agent", label: texts.evaluations.agent, any: texts.runs.anyAgent, values: agents },
    { name: "suite", label: texts.evaluations.suite, any: texts.evaluations.anySuite, values: suites },
    { name: "tag", label: texts.evaluations.tag, any: texts.evaluations.anyTag, values: tags },
  ].filter(({ values }) => values.length > 1);
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
      {choices.map((choice) => (
        <ChoiceField key={choice.name} query={query} {...choice} />
      ))}
      <ChoiceField
        query={query}
        name="order"
        label={texts.runs.order}
        any={texts.evaluations.orders[ORDERS[0]]}
        values={ORDERS.slice(1)}
        word={(order) => WORDS[order] ?? texts.evaluations.byColumn}
      />
      {isFiltered && (
        <a class="button plain" href={query.href(clear)}>
          {texts.runs.clear}
        </a>
      )}
    </div>
  );
}
