// Which tasks a list holds: `status`, `agent` and `metadata.<name>` of the query.
import type { Hub, NumberedPage } from "../../../../core/ports/hub.ts";
import { RUN_STATUSES, type Run, type RunStatus } from "../../../../core/run.ts";
import { onPage } from "../shared/read-page.ts";
import { TASK_STATUSES, taskStatus, type TaskStatus } from "../shared/task-status.ts";
import { wrongField } from "../shared/read-fields.ts";

interface TaskFilter {
  status?: RunStatus[];
  agent?: string;
}

const METADATA = "metadata.";
/** Newest tasks that are searched for their metadata. */
const MAX_LOOKED_AT = 10_000;
const PAGE = 200;

/** Throws INVALID_REQUEST for an unknown status. */
export function readFilter(query: URLSearchParams): TaskFilter & { metadata: [string, string][] } {
  const asked = query.getAll("status").flatMap((text) => text.split(","));
  for (const status of asked) {
    if (!(TASK_STATUSES as readonly string[]).includes(status))
      throw wrongField("status", `must be one of ${TASK_STATUSES.join(", ")}`);
  }
  const agent = query.get("agent");
  if (agent === "") throw wrongField("agent", "must be the name or the address of an agent");
  return {
    ...(asked.length > 0 && { status: RUN_STATUSES.filter((status) => asked.includes(shown(status))) }),
    ...(agent !== null && { agent }),
    metadata: Array.from(query).flatMap(([name, value]) =>
      name.startsWith(METADATA) ? [[name.slice(METADATA.length), value] as [string, string]] : [],
    ),
  };
}

export function isFilter(name: string): boolean {
  return name === "status" || name === "agent" || name.startsWith(METADATA);
}

/** Returns one page of the tasks that the filter lets through. Metadata has no index: only the newest tasks are searched for it. */
export async function findTasks(
  hub: Hub,
  { metadata, ...filter }: ReturnType<typeof readFilter>,
  page: NumberedPage,
): Promise<{ items: Run[]; total: number }> {
  if (metadata.length === 0) return hub.runsPage({ ...page, ...filter });
  const found: Run[] = [];
  let lookedAt = 0;
  for (let cursor: string | null | undefined; cursor !== null && lookedAt < MAX_LOOKED_AT;) {
    const { items, next_cursor } = await hub.runs({
      ...filter,
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    found.push(
      ...items.filter((run) => metadata.every(([name, value]) => textOf(run.metadata[name]) === value)),
    );
    lookedAt += items.length;
    cursor = next_cursor;
  }
  return { items: onPage(found, page), total: found.length };
}

function shown(status: RunStatus): TaskStatus {
  return taskStatus(status);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" || value === undefined ? value : JSON.stringify(value);
}
