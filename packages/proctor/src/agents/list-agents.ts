// One page of the agents, in the order of their names.
import { isHubTool } from "../core/address.ts";
import { AGENT_NAME } from "../core/agent.ts";
import { ProctorError } from "../core/errors.ts";
import { DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT, type Page, type PageRequest } from "../core/page.ts";
import type { AgentQuery } from "../core/registration.ts";
import type { Entry } from "./entry.ts";
import { matchesList } from "./search.ts";
import { stateOf, type Life } from "./state.ts";

export interface ListDeps {
  sorted: readonly Entry[];
  life: Life;
  now: number;
}

/** Throws INVALID_CURSOR. */
export function listAgents(
  { cursor, limit = DEFAULT_PAGE_LIMIT, ...query }: AgentQuery & PageRequest,
  { sorted, life, now }: ListDeps,
): Page<Entry> {
  const after = cursor === undefined ? "" : decodeCursor(cursor);
  const size = Math.min(Math.max(Math.trunc(limit) || 1, 1), MAX_PAGE_LIMIT);
  const found: Entry[] = [];
  for (const entry of sorted) {
    if (entry.agent.name <= after || !matchesList(entry, stateOf(entry, life, now).state, query)) continue;
    found.push(entry);
    if (found.length > size) break;
  }
  const last = found.length > size ? found[size - 1] : undefined;
  return {
    items: found.slice(0, size),
    next_cursor: last ? Buffer.from(last.agent.name).toString("base64url") : null,
  };
}

function decodeCursor(cursor: string): string {
  const name = Buffer.from(cursor, "base64url").toString();
  if (AGENT_NAME.test(name) || isHubTool(name)) return name;
  throw new ProctorError("INVALID_CURSOR", "the cursor was not issued by this list of agents");
}
