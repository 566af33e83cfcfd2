// A task as document 003 shows it: the run in the words of a list, and with everything that belongs to it.
import type { Json, JsonObject } from "../../../../core/json.ts";
import { isClientRun, type Run } from "../../../../core/run.ts";
import type { Step } from "../../../../core/step.ts";
import { briefArtifact, type BriefArtifact } from "./artifact-document.ts";
import { MAX_PAGE_SIZE } from "./read-page.ts";
import { taskStatus, type TaskStatus } from "./task-status.ts";

export interface TaskDocument extends JsonObject {
  task_id: string;
  input: string;
  additional_input: JsonObject;
  status: TaskStatus;
  created_at: string;
  modified_at: string;
  artifacts: BriefArtifact[];
}

/** An agent in the server's words: the document describes a server that answers creations and details with its agents. */
export interface AgentDocument extends JsonObject {
  id: string;
  name: string;
  status: string;
  task: string;
  createdAt: string;
}

interface DetailedTask extends TaskDocument {
  task: AgentDocument & { cycles: Json[]; memories: Json[]; workspaces: Json[] };
}

export function taskDocument(run: Run, steps: readonly Step[] = []): TaskDocument {
  return {
    task_id: run.id,
    input: run.task.description,
    additional_input: run.task.input_data ?? {},
    status: taskStatus(run.status),
    created_at: run.created_at,
    modified_at: modifiedAt(run, steps),
    artifacts: run.artifacts.map(briefArtifact),
  };
}

/** Returns the answer to a creation: the task is active, or waits to be started. */
export function createdAgent(run: Run): AgentDocument {
  return {
    id: run.id,
    name: nameOf(run),
    status: run.status === "created" ? "CREATED" : "ACTIVE",
    task: run.task.description,
    createdAt: run.created_at,
  };
}

/** Writes field by field: this is the most frequent answer, and copies by `...` cost more than the rest of it. */
export function detailedTask(run: Run, steps: readonly Step[], workspaces: readonly Json[]): DetailedTask {
  const { description } = run.task;
  const status = taskStatus(run.status);
  const modified = modifiedAt(run, steps);
  return {
    task_id: run.id,
    input: description,
    additional_input: run.task.input_data ?? {},
    status,
    created_at: run.created_at,
    modified_at: modified,
    artifacts: run.artifacts.map(briefArtifact),
    task: {
      id: run.id,
      name: nameOf(run),
      status: status === "running" ? "ACTIVE" : status.toUpperCase(),
      task: description,
      createdAt: run.created_at,
      agent: isClientRun(run) ? null : run.agent,
      metadata: run.metadata,
      constraints: run.constraints,
      updatedAt: modified,
      metrics: run.metrics,
      failure: run.failure,
      stepCount: steps.length,
      // The newest; all of them are at /steps.
      cycles: steps.slice(-MAX_PAGE_SIZE).map(cycle),
      memories: steps.flatMap(memories).slice(-MAX_PAGE_SIZE),
      workspaces: [...workspaces],
    },
  };
}

function cycle(step: Step): Json {
  const { id, index, name, status, input, output, started_at, completed_at } = step;
  return {
    id,
    cycleNumber: index + 1,
    name,
    status,
    input,
    output,
    createdAt: step.created_at,
    startedAt: started_at,
    completedAt: completed_at,
  };
}

/** Returns the thoughts that an agent reported, in order. */
function memories({ id, owner, output, additional_output, created_at }: Step): Json[] {
  const isThought = owner === "executor" && additional_output["event_type"] === "reasoning";
  return isThought && typeof output === "string" ? [{ id, content: output, createdAt: created_at }] : [];
}

/** Returns when the task, its steps or its artifacts last changed. ISO times of one form compare as text. */
function modifiedAt(run: Run, steps: readonly Step[]): string {
  let latest = run.ended_at ?? run.started_at ?? run.created_at;
  const look = (time: unknown): void => {
    if (typeof time === "string" && time > latest) latest = time;
  };
  for (const artifact of run.artifacts) look(artifact.created_at);
  for (const { created_at, started_at, completed_at } of steps) {
    look(created_at);
    look(started_at);
    look(completed_at);
  }
  return latest;
}

const NAME_CHARS = 50;

/** Returns the beginning of the task's first line. */
function nameOf({ task }: Run): string {
  return `Task: ${shorten(task.description.trim())}`;
}

function shorten(start: string): string {
  const end = start.indexOf("\n");
  const line = end === -1 ? start : start.slice(0, end);
  if (line.length <= NAME_CHARS) return line;
  // A character may be two of what `length` counts.
  const characters = Array.from(line.slice(0, NAME_CHARS * 2 + 2));
  return characters.length <= NAME_CHARS ? line : `${characters.slice(0, NAME_CHARS).join("")}…`;
}
