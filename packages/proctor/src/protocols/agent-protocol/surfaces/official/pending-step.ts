// A step that has not begun: what a client that does not wait is shown instead. Its id leads to the real step once there is one.
import { isTerminal, type Run } from "../../../../core/run.ts";
import type { Step } from "../../../../core/step.ts";
import type { Turn } from "./turn-counts.ts";

export function pendingStep(run: Run, number: number): Step {
  return {
    id: `${run.id}-step-${number}`,
    index: number,
    owner: "executor",
    name: `Step ${number + 1}`,
    status: run.status === "running" ? "running" : "created",
    input: null,
    output: null,
    additional_input: {},
    additional_output: {},
    is_last: false,
    created_at: run.created_at,
    started_at: null,
    completed_at: null,
    artifact_ids: [],
  };
}

/** Returns whether a client may have been shown a step with this number before the step existed. */
export function mayBePending(run: Run, count: number, number: number, turn: Turn | undefined): boolean {
  if (turn !== undefined && number <= turn.highest) return true;
  // Whatever was shown before the hub started again is forgotten; then only the next step may have been.
  const isAtWork = run.status !== "created" && !isTerminal(run.status);
  return turn === undefined && isAtWork && number === count;
}

/** Returns the number in the id of a pending step, from 0; undefined when it is no such id. */
export function pendingNumber(taskId: string, stepId: string): number | undefined {
  const prefix = `${taskId}-step-`;
  if (!stepId.startsWith(prefix)) return undefined;
  const digits = stepId.slice(prefix.length);
  return /^\d{1,6}$/.test(digits) ? Number(digits) : undefined;
}
