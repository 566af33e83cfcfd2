// Filters that this browser remembers by name.
import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { readStored, writeStored } from "../../state/stored.ts";
import type { QueryState } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { FILTER_NAMES } from "./filter.ts";

interface SavedFilter {
  name: string;
  values: Record<string, string>;
}

const KEY = "filters";

export function SavedFilters({ query }: { query: QueryState }) {
  const [filters, setFilters] = useState(() => readStored(KEY, isFilters) ?? []);
  const [naming, setNaming] = useState(false);
  const [name, setName] = useState("");
  const values = Object.fromEntries(
    FILTER_NAMES.map((field) => [field, query.get(field)]).filter(([, value]) => value !== ""),
  ) as Record<string, string>;
  const none = Object.fromEntries(FILTER_NAMES.map((field) => [field, undefined]));

  function keep(next: SavedFilter[]): void {
    setFilters(next);
    writeStored(KEY, next);
  }
  function save(event: SubmitEvent): void {
    event.preventDefault();
    keep([...filters.filter((filter) => filter.name !== name), { name, values }]);
    setNaming(false);
  }
  return (
    <>
      {filters.map((filter) => (
        <span key={filter.name} class="saved-filter">
          <a class="chip" href={query.href({ ...none, ...filter.values })}>
            {filter.name}
          </a>
          <Button
            kind="plain"
            label={texts.runs.forget(filter.name)}
            onPress={() => keep(filters.filter((other) => other !== filter))}
          >
            ×
          </Button>
        </span>
      ))}
      {Object.keys(values).length > 0 && (
        <Button kind="plain" onPress={() => setNaming(true)}>
          {texts.runs.saveFilter}
        </Button>
      )}
      {naming && (
        <Dialog title={texts.runs.saveFilter} onClose={() => setNaming(false)}>
          <form onSubmit={save}>
            <label class="field">
              <span>{texts.runs.filterName}</span>
              <input
                required
                maxLength={60}
                value={name}
                onInput={({ currentTarget }) => setName(currentTarget.value)}
              />
            </label>
            <div class="row-of-buttons">
              <button type="submit" class="button main">
                {texts.save}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}

function isFilters(value: unknown): value is SavedFilter[] {
  return (
    Array.isArray(value) &&
    value.every(
      (entry: unknown) => typeof entry === "object" && entry !== null && "name" in entry && "values" in entry,
    )
  );
}
