// A client of a hub's task API: tasks, steps, artifacts, and events that survive a lost connection.
import { createArtifactCalls, type ArtifactCalls } from "./artifacts.ts";
import { createConnection, type HubClientOptions } from "./connection.ts";
import type { TaskEvent } from "./documents.ts";
import { readEvents, type EventsOptions } from "./events.ts";
import { createStepCalls, type StepCalls } from "./steps.ts";
import { createTaskCalls, type TaskCalls } from "./tasks.ts";

export interface HubClient {
  tasks: TaskCalls;
  steps: StepCalls;
  artifacts: ArtifactCalls;
  /** Yields the events of a task until it has ended, beginning with the first one, or after `since`. */
  events(task: string, options?: EventsOptions): AsyncIterable<TaskEvent>;
}

export function createHubClient(options: HubClientOptions): HubClient {
  const connection = createConnection(options);
  return {
    tasks: createTaskCalls(connection),
    steps: createStepCalls(connection),
    artifacts: createArtifactCalls(connection),
    events: (task, eventsOptions) => readEvents(connection, task, eventsOptions),
  };
}
