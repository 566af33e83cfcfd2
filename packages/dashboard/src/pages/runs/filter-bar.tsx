// The filter above the list: statuses, agent, order, what the address names, and filters that this browser remembers.
import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import { ChoiceField } from "../../components/choice-field.tsx";
import { FilterChips } from "../../components/filter-chips.tsx";
import { shortId } from "../../components/format.ts";
import { SearchField } from "../../components/search-field.tsx";
import { useLoad } from "../../state/use-load.ts";
import type { QueryState } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { FILTER_NAMES, STATUSES } from "./filter.ts";
import { SavedFilters } from "./saved-filters.tsx";

interface FilterBarProps {
  query: QueryState;
  search: RefObject<HTMLInputElement | null>;
}

const MOST_AGENTS = 1000;

export function FilterBar({ query, search }: FilterBarProps) {
  const agents = useLoad("agents", (signal) => hub.agents({ limit: MOST_AGENTS }, signal));
  const clear = Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined]));
  const isFiltered = FILTER_NAMES.some((name) => query.get(name) !== "");
  const items = agents.value?.items ?? [];
  const { newest, ...orders } = texts.runs.orders;
  const [wide, setWide] = useState(false);
  return (
    <div class={wide ? "filter-bar" : "filter-bar brief"}>
      <div class="filter-row">
        <SearchField
          query={query}
          name="text"
          label={texts.runs.search}
          field={search}
          maxLength={200}
          asks
        />
        <ChoiceField
          query={query}
          name="agent"
          label={texts.runs.agent}
          any={texts.runs.anyAgent}
          values={items.map(({ name }) => name)}
        />
        <ChoiceField
          query={query}
          name="protocol"
          label={texts.runs.protocol}
          any={texts.runs.anyProtocol}
          values={items.map(({ protocol }) => protocol).sort()}
        />
        <ChoiceField
          query={query}
          name="order"
          label={texts.runs.order}
          any={newest}
          values={Object.keys(orders)}
          word={(order) => texts.runs.orders[order as keyof typeof orders]}
        />
        <Moment query={query} name="created_after" label={texts.runs.since} />
        <Moment query={query} name="created_before" label={texts.runs.until} />
        <CostAtLeast query={query} />
        <button type="button" class="button more-filters" aria-expanded={wide} onClick={() => setWide(!wide)}>
          {texts.runs.moreFilters}
        </button>
        <SavedFilters query={query} />
        {isFiltered && (
          <a class="button plain" href={query.href(clear)}>
            {texts.runs.clear}
          </a>
        )}
      </div>
      <div class="filter-row status-filter">
        <FilterChips query={query} name="status" values={STATUSES} words={texts.status} many />
        <FilterChips
          query={query}
          name="violations"
          values={["true"]}
          words={{ true: texts.runs.violations }}
        />
        <Named query={query} name="conversation" text={texts.runs.conversation} />
        <Named query={query} name="evaluation" text={texts.runs.evaluation} />
        <Named query={query} name="root" text={texts.runs.tree} />
        <Named query={query} name="parent" text={texts.runs.tree} />
      </div>
    </div>
  );
}

/** A field for a moment in the viewer's zone; the address and the API have the instant. */
function Moment({ query, name, label }: { query: QueryState; name: string; label: string }) {
  const value = query.get(name);
  return (
    <label class="moment">
      <span class="quiet">{label}</span>
      <input
        type="datetime-local"
        class="input"
        value={value === "" ? "" : localText(new Date(value))}
        onChange={({ currentTarget }) =>
          query.set({ [name]: currentTarget.value === "" ? "" : new Date(currentTarget.value).toISOString() })
        }
      />
    </label>
  );
}

function CostAtLeast({ query }: { query: QueryState }) {
  return (
    <label class="moment">
      <span class="quiet">{texts.runs.costAtLeast}</span>
      <input
        type="number"
        class="input cost-filter"
        min={0}
        step="any"
        value={query.get("cost_at_least")}
        onChange={({ currentTarget: { value } }) =>
          query.set({ cost_at_least: Number(value) > 0 ? value : "" })
        }
      />
    </label>
  );
}

function localText(date: Date): string {
  if (Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Shows a filter that came with a link, and can only be removed. */
function Named({ query, name, text }: { query: QueryState; name: string; text: (id: string) => string }) {
  const value = query.get(name);
  if (value === "") return null;
  return (
    <a
      class="chip"
      aria-pressed="true"
      role="button"
      href={query.href({ [name]: undefined })}
      title={texts.runs.dropFilter}
    >
      {text(shortId(value))} ×
    </a>
  );
}
