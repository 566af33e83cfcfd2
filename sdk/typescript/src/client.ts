// The public door of `@proctor/agent/client`: a client of a hub's task API.
export type { ArtifactCalls, Upload } from "./client/artifacts.ts";
export type { CallOptions, Fetch, HubClientOptions } from "./client/connection.ts";
export { createHubClient, type HubClient } from "./client/create-hub-client.ts";
export type {
  ArtifactDocument,
  BriefArtifact,
  CreatedTask,
  DetailedTask,
  Page,
  Pagination,
  StepDocument,
  StepStatus,
  TaskDocument,
  TaskEvent,
  TaskEventType,
  TaskState,
  TaskStatus,
} from "./client/documents.ts";
export type { Download } from "./client/download.ts";
export type { EventsOptions } from "./client/events.ts";
export { HubError } from "./client/hub-error.ts";
export type { ListOptions, PageOptions } from "./client/pages.ts";
export type { NewStep, StepCalls, StepChanges } from "./client/steps.ts";
export type { NewTask, TaskCalls } from "./client/tasks.ts";
export type { Json, JsonObject } from "./protocol/json.ts";
