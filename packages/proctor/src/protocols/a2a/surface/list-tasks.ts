// The tasks of an agent, those whose state changed last first: specification 1.0, section 3.1.4. The hub lists runs by their creation, so the
// newest runs are looked at and sorted here.
import type { Hub } from "../../../core/ports/hub.ts";
import { isTerminal, type Run } from "../../../core/run.ts";
import { A2aError } from "../errors.ts";
import type { ListTasksRequest, ListTasksResult } from "../model.ts";
import { withAttempts, type FoundTask } from "./find-task.ts";
import { wrong } from "./messages.ts";
import { foldNow, readTask, type TaskReader } from "./read-task.ts";
import { taskDocument, type DocumentOptions } from "./task-document.ts";
import { stateOf } from "./task-state.ts";

type Lister = Pick<Hub, "run" | "runs" | "events" | "readArtifact">;

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;
/** Newest runs that are listed. Older tasks can still be requested by their ids. */
const MAX_RUNS = 10_000;
const READ_AT_ONCE = 1000;

interface Listed {
  task: FoundTask;
  /** Time at which it came into its state, in ISO 8601. */
  since: string;
}

export interface ListDeps extends DocumentOptions, TaskReader {
  hub: Lister;
}

/** Throws INVALID_PARAMS. */
export async function listTasks(
  deps: ListDeps,
  agent: string,
  request: ListTasksRequest,
): Promise<ListTasksResult> {
  const { contextId, status, statusTimestampAfter, historyLength = 0, includeArtifacts = false } = request;
  const pageSize = request.pageSize ?? DEFAULT_PAGE_SIZE;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE)
    throw wrong("pageSize", `must be from 1 to ${MAX_PAGE_SIZE}`);
  const changedAfter = statusTimestampAfter === undefined ? undefined : Date.parse(statusTimestampAfter);
  if (Number.isNaN(changedAfter)) throw wrong("statusTimestampAfter", "must be a time in ISO 8601");
  const behind = request.pageToken ? readToken(request.pageToken) : undefined;

  const found: Listed[] = [];
  for await (const task of tasksOf(deps.hub, agent, contextId)) {
    if (status !== undefined && stateOf(task.last) !== status) continue;
    const since = await changedAt(deps.hub, task.last);
    if (changedAfter === undefined || Date.parse(since) > changedAfter) found.push({ task, since });
  }
  found.sort((a, b) => -compare(a, b));
  const start = behind === undefined ? 0 : found.findIndex((each) => compare(each, behind) < 0);
  const page = start === -1 ? [] : found.slice(start, start + pageSize);
  const tasks = [];
  for (const { task } of page) {
    const view = await readTask(deps, task);
    tasks.push(await taskDocument(view, deps, { historyLength, artifacts: includeArtifacts }));
  }
  const last = page.at(-1);
  const more = last !== undefined && start + page.length < found.length;
  return { tasks, nextPageToken: more ? tokenOf(last) : "", pageSize: tasks.length, totalSize: found.length };
}

async function* tasksOf(hub: Lister, agent: string, contextId?: string): AsyncGenerator<FoundTask> {
  let cursor: string | undefined;
  for (let read = 0; read < MAX_RUNS; read += READ_AT_ONCE) {
    const { items, next_cursor: next } = await hub.runs({
      agent,
      limit: READ_AT_ONCE,
      ...(contextId !== undefined && { conversation: contextId }),
      ...(cursor !== undefined && { cursor }),
    });
    for (const run of items) if (run.retry_of === null) yield await withAttempts(hub, run);
    if (next === null) return;
    cursor = next;
  }
}

/** Times by run: a run is the same object until something is committed to it, so its log is not read again before that. */
const KNOWN_TIMES = new WeakMap<Run, string>();

async function changedAt(hub: Lister, run: Run): Promise<string> {
  if (isTerminal(run.status)) return run.ended_at ?? run.created_at;
  const known = KNOWN_TIMES.get(run) ?? (await foldNow(hub, run.id)).since();
  KNOWN_TIMES.set(run, known);
  return known;
}

type Place = Pick<Listed, "since"> & { task: Pick<FoundTask, "id"> };

function compare(a: Place, b: Place): number {
  if (a.since !== b.since) return a.since < b.since ? -1 : 1;
  return a.task.id < b.task.id ? -1 : a.task.id > b.task.id ? 1 : 0;
}

function tokenOf({ since, task }: Listed): string {
  return Buffer.from(`${since} ${task.id}`).toString("base64url");
}

function readToken(token: string): Place {
  const [, since, id] = /^(\S{1,40}) (\S{1,64})$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (since !== undefined && id !== undefined && !Number.isNaN(Date.parse(since)))
    return { since, task: { id } };
  throw new A2aError("INVALID_PARAMS", "pageToken was not issued by this list", {
    fields: [{ field: "pageToken", description: "must be the nextPageToken of an earlier answer" }],
  });
}
