// The filter of the list: as the address has it, as the API takes it, and as live events are matched against it.
import type { RunFilter } from "../../api/hub.ts";
import type { Run, RunStatus } from "../../api/gen/schema.ts";
import type { QueryState } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";

export const FILTER_NAMES = [
  "status",
  "agent",
  "protocol",
  "text",
  "cost_at_least",
  "violations",
  "created_after",
  "created_before",
  "conversation",
  "evaluation",
  "root",
  "parent",
  "order",
] as const;
type FilterName = (typeof FILTER_NAMES)[number];
export type FilterText = Partial<Record<FilterName, string>>;

export const STATUSES = Object.keys(texts.status) as RunStatus[];

export function filterOf({ get }: Pick<QueryState, "get">): RunFilter {
  const status = get("status")
    .split(",")
    .filter((name): name is RunStatus => name in texts.status);
  const rest = Object.fromEntries(
    FILTER_NAMES.filter((name) => name !== "status" && get(name) !== "").map((name) => [name, get(name)]),
  ) as Omit<RunFilter, "status">;
  return { ...rest, ...(status.length > 0 && { status }) };
}

/** Whether a filter asks for what the row of a run does not have: then only the hub knows whether a new run belongs to the list. */
export function isBeyondRows({ evaluation, protocol, cost_at_least, violations, order }: RunFilter): boolean {
  return (
    rankOf(order) !== undefined ||
    [evaluation, protocol, cost_at_least, violations].some((value) => value !== undefined)
  );
}

/** Returns the function whose value a list is sorted by, the largest first; undefined where it is the time of creation. */
export function rankOf(order: RunFilter["order"]): ((run: Run) => number) | undefined {
  if (order === "costliest") return ({ metrics }) => metrics.cost_usd ?? 0;
  if (order !== "slowest") return undefined;
  return ({ started_at, ended_at }) =>
    started_at === null || ended_at === null ? 0 : Date.parse(ended_at) - Date.parse(started_at);
}

/** Whether the run belongs to the list, as far as its row can tell. */
export function fits(run: Run, filter: RunFilter): boolean {
  const { status, agent, conversation, root, parent, text, created_after, created_before } = filter;
  const createdMs = Date.parse(run.created_at);
  return (
    (status === undefined || status.includes(run.status)) &&
    (agent ?? run.agent) === run.agent &&
    (conversation ?? run.conversation_id) === run.conversation_id &&
    (root ?? run.root_id) === run.root_id &&
    (parent === undefined || parent === run.parent_id) &&
    (text === undefined || `${run.id} ${run.task.description}`.toLowerCase().includes(text.toLowerCase())) &&
    (created_after === undefined || createdMs >= Date.parse(created_after)) &&
    (created_before === undefined || createdMs < Date.parse(created_before))
  );
}
