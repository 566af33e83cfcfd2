// A field with which one of several values is chosen, which stands in the address.
import type { QueryState } from "../state/use-query.ts";

interface ChoiceFieldProps {
  query: QueryState;
  /** Name of the parameter in the address. */
  name: string;
  label: string;
  /** Text that is shown while nothing is chosen. */
  any: string;
  values: readonly string[];
  /** Returns the text that is shown for a value; the value itself is shown when absent. */
  word?: (value: string) => string;
}

/** Also offers a value of the address that is not among the others, because it was chosen elsewhere. */
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
