// Tasks of a hub: create, list, get, control, delete.
import type { JsonObject } from "../protocol/json.ts";
import { path, type CallOptions, type Connection } from "./connection.ts";
import type { CreatedTask, DetailedTask, Page, TaskDocument, TaskState } from "./documents.ts";
import { readAll, readPage, type Listing, type ListOptions, type PageOptions } from "./pages.ts";

export interface NewTask {
  /** What is to be done. */
  task: string;
  /** A folder below the hub's root for workspaces. */
  workspace?: string;
  additional_input?: JsonObject;
  /** Name or address; null when this client does the work, whatever the hub is configured for. */
  agent?: string | null;
}

export interface TaskCalls {
  /** A request that is repeated with the same key and the same task creates no other. */
  create(task: NewTask, options?: CallOptions & { idempotencyKey?: string }): Promise<CreatedTask>;
  get(id: string, options?: CallOptions): Promise<DetailedTask>;
  /** All of them, newest first, page after page as they are asked for. */
  list(options?: ListOptions): AsyncIterable<TaskDocument>;
  page(options?: PageOptions): Promise<Page<TaskDocument>>;
  pause(id: string, options?: CallOptions): Promise<TaskState>;
  resume(id: string, options?: CallOptions): Promise<TaskState>;
  /** When it has stopped; `status` is another one only when the agent has not after half a minute. */
  cancel(id: string, options?: CallOptions): Promise<TaskState>;
  /** With its steps, events, artifacts and bytes. */
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
