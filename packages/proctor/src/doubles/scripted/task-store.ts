// The tasks of a scripted agent, in memory: as many as fit, and lists of them as A2A 1.0 asks for (section 3.1.4).
import { createOldestKey } from "../../core/oldest-key.ts";
import { A2aError } from "../../protocols/a2a/errors.ts";
import type { ListTasksRequest, ListTasksResult } from "../../protocols/a2a/model.ts";
import { viewTask } from "./fold-task.ts";
import type { ScriptedTask } from "./scripted-task.ts";

export interface TaskStore {
  add(task: ScriptedTask): void;
  /** `testCaseId` hides the tasks of other test cases. Throws A2aError TASK_NOT_FOUND. */
  get(id: string, testCaseId?: string): ScriptedTask;
  list(request: ListTasksRequest, testCaseId?: string): ListTasksResult;
  all(): Iterable<ScriptedTask>;
  /** Stops and forgets the tasks of one test case, or all. */
  clear(testCaseId?: string): void;
}

const MAX_TASKS = 10_000;
const MAX_CHARS = 128 * 1024 * 1024;
const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;

export function createTaskStore(): TaskStore {
  const tasks = new Map<string, ScriptedTask>();
  const oldestKey = createOldestKey(tasks);
  let chars = 0;

  function forget(task: ScriptedTask): void {
    task.playing?.stop.abort();
    tasks.delete(task.id);
    chars -= task.firstChars;
  }

  return {
    add(task) {
      tasks.set(task.id, task);
      chars += task.firstChars;
      while (tasks.size > MAX_TASKS || (chars > MAX_CHARS && tasks.size > 1)) {
        const oldest = tasks.get(oldestKey() ?? "");
        if (oldest === undefined) break;
        forget(oldest);
      }
    },
    get(id, testCaseId) {
      const task = tasks.get(id);
      if (task === undefined || (testCaseId !== undefined && task.testCaseId !== testCaseId)) {
        const shown = id.slice(0, 200);
        throw new A2aError("TASK_NOT_FOUND", `task ${shown} not found`, { metadata: { taskId: shown } });
      }
      return task;
    },
    list(request, testCaseId) {
      const { contextId, status, statusTimestampAfter, historyLength, includeArtifacts = false } = request;
      const pageSize = readPageSize(request.pageSize);
      const after = statusTimestampAfter === undefined ? undefined : readTime(statusTimestampAfter);
      const found = [...tasks.values()].filter(
        (one) =>
          (testCaseId === undefined || one.testCaseId === testCaseId) &&
          (contextId === undefined || contextId === "" || one.contextId === contextId) &&
          (status === undefined || status === "TASK_STATE_UNSPECIFIED" || one.task.status.state === status) &&
          (after === undefined || statusTime(one) >= after),
      );
      const sorted = found.sort(
        (one, other) => statusTime(other) - statusTime(one) || other.order - one.order,
      );
      const start = startOf(sorted, request.pageToken ?? "");
      const page = sorted.slice(start, start + pageSize);
      const last = page.at(-1);
      return {
        tasks: page.map(({ task }) => viewTask(task, { historyLength, artifacts: includeArtifacts })),
        nextPageToken: last !== undefined && start + pageSize < sorted.length ? tokenOf(last) : "",
        pageSize,
        totalSize: sorted.length,
      };
    },
    all: () => tasks.values(),
    clear(testCaseId) {
      for (const task of tasks.values()) {
        if (testCaseId === undefined || task.testCaseId === testCaseId) forget(task);
      }
    },
  };
}

function statusTime({ task }: ScriptedTask): number {
  const time = Date.parse(task.status.timestamp ?? "");
  return Number.isNaN(time) ? 0 : time;
}

function readPageSize(asked: number | undefined): number {
  if (asked === undefined) return DEFAULT_PAGE_SIZE;
  if (Number.isInteger(asked) && asked >= 1 && asked <= MAX_PAGE_SIZE) return asked;
  throw wrong("pageSize", `must be a whole number from 1 to ${MAX_PAGE_SIZE}`);
}

function readTime(text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw wrong("statusTimestampAfter", "must be a time in ISO 8601");
}

/** Returns the token of a page that begins after this task, wherever the task is in the list by then. */
function tokenOf(task: ScriptedTask): string {
  return Buffer.from(`${statusTime(task)} ${task.order}`).toString("base64url");
}

function startOf(sorted: readonly ScriptedTask[], token: string): number {
  if (token === "") return 0;
  const [, time, order] = /^(\d+) (\d+)$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (time === undefined || order === undefined) throw wrong("pageToken", "was not issued by this list");
  const start = sorted.findIndex(
    (task) =>
      statusTime(task) < Number(time) || (statusTime(task) === Number(time) && task.order < Number(order)),
  );
  return start === -1 ? sorted.length : start;
}

function wrong(field: string, description: string): A2aError {
  return new A2aError("INVALID_PARAMS", `${field} ${description}`, { fields: [{ field, description }] });
}
