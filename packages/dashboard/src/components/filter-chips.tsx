// Values of a filter as chips, in the address: one of them at a time, or several.
import type { QueryState } from "../state/use-query.ts";
import { count } from "./format.ts";

interface FilterChipsProps<Value extends string> {
  query: QueryState;
  /** Name of the parameter in the address. */
  name: string;
  values: readonly Value[];
  words: Readonly<Record<Value, string>>;
  /** Whether several may be chosen; the address has them with commas between. */
  many?: boolean;
  /** Returns the number of entries that a value would show; no number is shown when absent. */
  found?: (value: Value) => number;
}

export function FilterChips<Value extends string>(props: FilterChipsProps<Value>) {
  const { query, name, values, words, many = false, found } = props;
  const chosen = query.get(name).split(",").filter(Boolean);
  return (
    <>
      {values.map((value) => {
        const others = many ? chosen.filter((one) => one !== value) : [];
        const next = chosen.includes(value) ? others : [...others, value];
        return (
          <button
            key={value}
            type="button"
            class="chip"
            aria-pressed={chosen.includes(value)}
            onClick={() => query.set({ [name]: next.join(",") })}
          >
            {words[value]} {found && <span class="quiet">{count(found(value))}</span>}
          </button>
        );
      })}
    </>
  );
}
