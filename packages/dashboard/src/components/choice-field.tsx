// A field with which one of several values is chosen, which stands in the address.
import type { QueryState } from "../state/use-query.ts";

interface ChoiceFieldProps {
  query: QueryState;
  /** The name in the address. */
  name: string;
  label: string;
  /** What is shown while nothing is chosen. */
  any: string;
  values: readonly string[];
  /** What is shown of a value; the value itself when absent. */
  word?: (value: string) => string;
}

/** A value of the address that is not among the others is one that was chosen elsewhere. */
export function ChoiceField({ query, name, label, any, values, word }: ChoiceFieldProps) {
  const chosen = query.get(name);
  return (
    <select
      class="input"
      aria-label={label}
      value={chosen}
      onChange={({ currentTarget }) => query.set({ [name]: currentTarget.value })}
    >
      <option value="">{any}</option>
      {[...new Set([...values, chosen])].filter(Boolean).map((value) => (
        <option key={value} value={value}>
          {word?.(value) ?? value}
        </option>
      ))}
    </select>
  );
}
