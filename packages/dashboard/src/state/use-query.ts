// The state of a page is kept in its address: what is chosen there can be shared, and back and forward work.
import { useLocation } from "preact-iso";
import { linkTo } from "../api/address.ts";

export interface QueryState {
  /** Returns a value of the address; empty text where it is absent. */
  get: (name: string) => string;
  /** Changes some values. A step that back should undo pushes; typing replaces. */
  set: (changes: Record<string, string | undefined>, how?: "push" | "replace") => void;
  /** Returns the address of this page with some values changed, for links. */
  href: (changes: Record<string, string | undefined>) => string;
}

export function useQuery(): QueryState {
  const { path, query, route } = useLocation();
  const href: QueryState["href"] = (changes) => {
    const next = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...query, ...changes })) {
      if (value !== undefined && value !== "") next.set(name, value);
    }
    const text = next.toString();
    return linkTo(text === "" ? path : `${path}?${text}`);
  };
  return {
    get: (name) => query[name] ?? "",
    set: (changes, how = "push") => route(href(changes), how === "replace"),
    href,
  };
}
