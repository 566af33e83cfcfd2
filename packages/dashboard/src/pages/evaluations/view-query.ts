// What of the table's address a case carries along, so that next and previous go through what is shown.
import type { QueryState } from "../../state/use-query.ts";
import { VIEW_NAMES } from "./case-view.ts";

export function viewQuery({ get }: QueryState, also: readonly string[] = []): Record<string, string> {
  return Object.fromEntries([...VIEW_NAMES, "from", ...also].map((name) => [name, get(name)]));
}
