// Tasks of a hub: create, list, get, control, delete.
import type { JsonObject } from "../protocol/json.ts";
import { path, type CallOptions, type Connection } from "./connection.ts";
import type { CreatedTask, DetailedTask, Page, TaskDocument, TaskState } from "./documents.ts";
import { readAll, readPage, type Listing, type ListOptions, type PageOptions } from "./pages.ts";

export interface NewTask {
  /** Description of the task, in words for the agent. */
  task: string;
  /** Folder of the task, below the hub's root for workspaces. */
  workspace?: string;
  additional_input?: JsonObject;
  /** Name or address of the agent. Null means that this client does the work itself, whatever agent the hub is configured with. */
  agent?: string | null;
}

export interface TaskCalls {
  /** Creates a task. A request that is repeated with the same key and the same task does not create another. */
  create(task: NewTask, options?: CallOptions & { idempotencyKey?: string }): Promise<CreatedTask>;
  get(id: string, options?: CallOptions): Promise<DetailedTask>;
  /** Yields all tasks, newest first. A page is fetched when the caller gets to it. */
  list(options?: ListOptions): AsyncIterable<TaskDocument>;
  page(options?: PageOptions): Promise<Page<TaskDocument>>;
  pause(id: string, options?: CallOptions): Promise<TaskState>;
  resume(id: string, options?: CallOptions): Promise<TaskState>;
  /** Resolves when the task has stopped. `status` is not `cancelled` when the agent has not stopped after half a minute. */
  cancel(id: string, options?: CallOptions): Promise<TaskState>;
  /** Deletes a task with its steps, events and artifacts, including their bytes. */
  delete(id: string, options?: CallOptions): Promise<void>;
}

export function createTaskCalls(connection: Connection): TaskCalls {
  const listing: Listing<TaskDocument> = {
    connection,
    path: path(),
    name: "tasks",
    idOf: ({ task_id }) => task_id,
  };
  const control =
    (verb: string) =>
    (id: string, { signal }: CallOptions = {}): Promise<TaskState> =>
      connection.json(path(id, verb), { method: "POST", signal });

  return {
    async create(task, { idempotencyKey, signal } = {}) {
      const headers = idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
      const sending = { method: "POST", json: task, headers, signal };
      const { agent } = await connection.json<{ agent: CreatedTask }>(path(), sending);
      return agent;
    },
    get: (id, { signal } = {}) => connection.json(path(id), { signal }),
    list: (options) => readAll(listing, options),
    page: (options) => readPage(listing, options),
    pause: control("pause"),
    resume: control("resume"),
    cancel: control("cancel"),
    delete: (id, { signal } = {}) => connection.done(path(id), { method: "DELETE", signal }),
  };
}
