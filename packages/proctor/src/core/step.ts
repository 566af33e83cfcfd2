// One piece of work inside a run, as document 003 knows it. Steps are a fold of the run's events: those that a client added, and
// those that an agent's own events amount to.
import type { Json, JsonObject } from "./json.ts";

export const STEP_STATUSES = ["created", "running", "completed", "failed"] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

export interface Step extends JsonObject {
  /** Id of the step: a UUID for a client's; `<run id>-<sequence of its first event>` for an agent's. */
  id: string;
  /** The place of the step in the run, from 0. */
  index: number;
  /** `client` may change its step; a step of the `executor` follows from an agent's events and cannot be changed. */
  owner: "client" | "executor";
  name: string;
  status: StepStatus;
  input: Json;
  output: Json;
  additional_input: JsonObject;
  additional_output: JsonObject;
  is_last: boolean;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  /** Ids of the artifacts that belong to the step. */
  artifact_ids: string[];
}

/** Most steps that a run holds. Beyond it, an agent's steps are only counted, and a client's are refused. */
export const MAX_STEPS_HELD = 10_000;

export function isOver(status: StepStatus): boolean {
  return status === "completed" || status === "failed";
}
