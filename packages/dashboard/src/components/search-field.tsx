// A field to search with, whose words stand in the address.
import type { RefObject } from "preact";
import type { QueryState } from "../state/use-query.ts";

interface SearchFieldProps {
  query: QueryState;
  /** Name of the parameter in the address. */
  name: string;
  label: string;
  field: RefObject<HTMLInputElement | null>;
  maxLength?: number;
  /** Whether each change asks the hub, which then is asked once, when typing pauses. */
  asks?: boolean;
}

const TYPING_MS = 200;
let timer: ReturnType<typeof setTimeout> | undefined;

export function SearchField({ query, name, label, field, maxLength, asks = false }: SearchFieldProps) {
  function change(text: string): void {
    clearTimeout(timer);
    if (asks) timer = setTimeout(() => query.set({ [name]: text.trim() }, "replace"), TYPING_MS);
    else query.set({ [name]: text }, "replace");
  }
  return (
    <input
      ref={field}
      type="search"
      class="input search"
      placeholder={label}
      aria-label={label}
      {...(maxLength !== undefined && { maxLength })}
      value={query.get(name)}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}
