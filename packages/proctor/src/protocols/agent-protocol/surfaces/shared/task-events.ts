// A run's log in the words of document 003, "WebSocket Events": which task, step, artifact and log events an event of the log
// becomes. Pure; `/ws` and the event stream of `/api` both read the log from its beginning through it.
import type { RunEvent } from "../../../../core/event.ts";
import { foldSteps, NO_STEPS, type StepsState } from "../../../../core/fold-steps.ts";
import type { Json, JsonObject } from "../../../../core/json.ts";
import { isClientRun } from "../../../../core/run.ts";
import type { Step } from "../../../../core/step.ts";
import { artifactDocument, noUri, type UriOf } from "./artifact-document.ts";
import { artifactsById, stepDocument } from "./step-document.ts";
import { taskStatus } from "./task-status.ts";

export const TASK_EVENT_TYPES = [
  "task.created",
  "task.started",
  "task.completed",
  "task.failed",
  "task.cancelled",
  "task.paused",
  "task.resumed",
  "step.created",
  "step.started",
  "step.running",
  "step.completed",
  "step.failed",
  "artifact.created",
  "log",
  // Not in the document.
  "artifact.deleted",
  "task.deleted",
] as const;

/** Events that a webhook may ask for: types and groups of them. */
export const WEBHOOK_EVENTS = ["*", "task.*", "step.*", "artifact.*", ...TASK_EVENT_TYPES] as const;

type TaskEventType = (typeof TASK_EVENT_TYPES)[number];

export interface TaskEvent extends JsonObject {
  type: TaskEventType;
  task_id: string;
  step_id?: string;
  artifact_id?: string;
  data: Json;
  /** Time at which the hub recorded the event, in ISO 8601. */
  timestamp: string;
  /** Number of the event in its task, without gaps from 0 and the same on every read. One event of the log may become none, one or several. */
  seq: number;
}

/** State that decides what the next event means. */
export interface TaskEventsState {
  steps: StepsState;
  /** The `seq` of the next event. */
  next: number;
}

export const NOTHING_YET: TaskEventsState = { steps: NO_STEPS, next: 0 };

type EventContent = Pick<TaskEvent, "type" | "step_id" | "artifact_id" | "data">;

/** Returns the events that one event of the log becomes. Takes the log in order from sequence 0, each time with the state it returned before. */
export function taskEvents(
  event: RunEvent,
  before: TaskEventsState,
  uriOf: UriOf = noUri,
): { events: TaskEvent[]; after: TaskEventsState } {
  const steps = foldSteps(before.steps, event);
  const changed = stepsChanged(event, before.steps, steps, uriOf);
  const { run_id, timestamp } = event;
  const events = [...changed, ...ownEvents(event, before.steps, uriOf)].map((content, index): TaskEvent => ({
    type: content.type,
    task_id: run_id,
    ...(content.step_id !== undefined && { step_id: content.step_id }),
    ...(content.artifact_id !== undefined && { artifact_id: content.artifact_id }),
    data: content.data,
    timestamp,
    seq: before.next + index,
  }));
  return { events, after: { steps, next: before.next + events.length } };
}

function ownEvents(event: RunEvent, { steps, run }: StepsState, uriOf: UriOf): EventContent[] {
  switch (event.type) {
    case "run.created": {
      const { task, agent } = event.payload;
      return [
        {
          type: "task.created",
          data: { input: task.description, agent: isClientRun({ agent }) ? null : agent },
        },
      ];
    }
    case "run.started":
      // A hub that takes over a parked run starts it once more; the task began before.
      return (run?.run.started_at ?? null) === null
        ? [{ type: "task.started", data: { status: "running" } }]
        : [];
    case "run.paused":
      return [{ type: "task.paused", data: { status: "paused" } }];
    case "run.resumed":
      return [{ type: "task.resumed", data: { status: "running" } }];
    case "run.ended": {
      const { failure, metrics } = event.payload;
      const status = taskStatus(event.payload.status);
      const data = { status, ...(failure && { failure }), ...(metrics && { metrics }) };
      return [{ type: END_TYPES[status as keyof typeof END_TYPES], data }];
    }
    case "artifact.added": {
      const { artifact, step_id } = event.payload;
      const data = artifactDocument(artifact, uriOf, event.timestamp);
      const artifactId = artifact.id;
      return [
        {
          type: "artifact.created",
          ...(step_id !== undefined && { step_id }),
          artifact_id: artifactId,
          data,
        },
      ];
    }
    case "artifact.removed": {
      const { artifact_id } = event.payload;
      const step = steps.find(({ artifact_ids: ids }) => ids.includes(artifact_id));
      return [{ type: "artifact.deleted", ...(step && { step_id: step.id }), artifact_id, data: {} }];
    }
    case "log":
      return [{ type: "log", data: event.payload.text }];
    case "error":
      return [{ type: "log", data: event.payload.message ?? "the agent reported an error" }];
    case "violation":
      return [{ type: "log", data: event.payload.message }];
    default:
      return [];
  }
}

/** The type of the last event, by the status that the task ends with. */
const END_TYPES = {
  completed: "task.completed",
  failed: "task.failed",
  cancelled: "task.cancelled",
} as const satisfies Record<string, TaskEventType>;

/** Returns the steps that the event added or changed, in their order. */
function stepsChanged(
  event: RunEvent,
  { steps: before }: StepsState,
  { steps: after, run }: StepsState,
  uriOf: UriOf,
): EventContent[] {
  // A step that gets an artifact has not changed: only the artifact has an event.
  if (after === before || event.type === "artifact.added" || event.type === "artifact.removed") return [];
  const found: EventContent[] = [];
  // There may be thousands, of which an event changes few.
  for (let index = 0; index < after.length; index++) {
    const step = after[index];
    const old = before[index];
    if (step === undefined || step === old) continue;
    const artifacts = artifactsById(step.artifact_ids.length === 0 ? [] : (run?.run.artifacts ?? []));
    const data = stepDocument(event.run_id, step, artifacts, uriOf);
    for (const type of stepEventTypes(old, step)) found.push({ type, step_id: step.id, data });
  }
  return found;
}

function stepEventTypes(before: Step | undefined, after: Step): TaskEventType[] {
  const types: TaskEventType[] = [];
  if (before === undefined) types.push("step.created");
  if (after.status === "created") return types;
  const wasCreated = before === undefined || before.status === "created";
  // A step that was over before it was seen running has no step.started.
  if (after.status === "running") types.push(wasCreated ? "step.started" : "step.running");
  else types.push(`step.${after.status}`);
  return types;
}
