// The tasks of a user among all that an agent has: those that the gateway has told this user of. A page may be shorter than it was asked for,
// or even empty, before the end.
import type { A2aTask, ListTasksRequest, ListTasksResult } from "../model.ts";
import type { Exchange } from "./exchange.ts";
import type { IdMap } from "./id-map.ts";

export async function listTasks(
  request: ListTasksRequest,
  exchange: Exchange,
  signal: AbortSignal,
  ids: IdMap,
): Promise<ListTasksResult> {
  const { user, connection } = exchange;
  const { contextId, ...rest } = request;
  const inner = contextId === undefined ? undefined : await ids.innerContext(user, contextId);
  // The agent does not know this context.
  if (contextId !== undefined && inner === undefined) return nothing(request.pageSize);
  const asked = { ...rest, ...(inner !== undefined && { contextId: inner }) };
  const page = await connection.service.listTasks(asked, exchange.inner(signal));
  const tasks: A2aTask[] = [];
  for (const task of page.tasks) {
    const known = await ids.knownTask(user, task.id);
    if (known === undefined) continue;
    const answer = { context: known.context, isNamed: true, task: task.id };
    tasks.push(await exchange.outward(answer, signal).task(task));
  }
  // The number of other users' tasks must not show, so that only this page can be counted.
  return { ...page, tasks, totalSize: tasks.length };
}

function nothing(pageSize = 50): ListTasksResult {
  return { tasks: [], nextPageToken: "", pageSize, totalSize: 0 };
}
