// Steps of a task: add, change, list, get.
import type { Json, JsonObject } from "../protocol/json.ts";
import { path, type CallOptions, type Connection } from "./connection.ts";
import type { Page, StepDocument, StepStatus } from "./documents.ts";
import { readAll, readPage, type Listing, type ListOptions, type PageOptions } from "./pages.ts";

export interface NewStep {
  name?: string;
  input?: Json;
  additional_input?: JsonObject;
}

/** Changes to a step. A field that is absent stays as it is. */
export interface StepChanges {
  status?: StepStatus;
  output?: Json;
  additional_output?: JsonObject;
  /** Whether this is the last step of the task. Together with a status that ends the step, it ends the task. */
  is_last?: boolean;
}

export interface StepCalls {
  add(task: string, step?: NewStep, options?: CallOptions): Promise<StepDocument>;
  change(task: string, step: string, changes: StepChanges, options?: CallOptions): Promise<StepDocument>;
  get(task: string, step: string, options?: CallOptions): Promise<StepDocument>;
  list(task: string, options?: ListOptions): AsyncIterable<StepDocument>;
  page(task: string, options?: PageOptions): Promise<Page<StepDocument>>;
}

export function createStepCalls(connection: Connection): StepCalls {
  const listing = (task: string): Listing<StepDocument> => ({
    connection,
    path: path(task, "steps"),
    name: "steps",
    idOf: ({ step_id }) => step_id,
  });
  return {
    add: (task, step = {}, { signal } = {}) =>
      connection.json(path(task, "steps"), { method: "POST", json: step, signal }),
    change: (task, step, changes, { signal } = {}) =>
      connection.json(path(task, "steps", step), { method: "PATCH", json: changes, signal }),
    get: (task, step, { signal } = {}) => connection.json(path(task, "steps", step), { signal }),
    list: (task, options) => readAll(listing(task), options),
    page: (task, options) => readPage(listing(task), options),
  };
}
