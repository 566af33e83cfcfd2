// The whole machine of a client's steps: which status may follow which, what each means for the run, and what the end of the run means
// for them. docs/reference/agent-protocol-states.md shows it as tables.
import { canonicalJson } from "./canonical-json.ts";
import { ProctorError } from "./errors.ts";
import type { EventDraft, PlatformEventPayloads } from "./event.ts";
import { failure } from "./failure.ts";
import { isUuid } from "./id.ts";
import type { Json } from "./json.ts";
import type { ClientDraft, ClientState } from "./ports/hub.ts";
import { isTerminal, type RunStatus } from "./run.ts";
import { nextStatus } from "./run-machine.ts";
import { isOver, MAX_STEPS_HELD, type Step, type StepStatus } from "./step.ts";

/** From each status, the ones that may follow. While the run lasts, the same status may always be set again with more fields. */
export const STEP_TRANSITIONS: Record<StepStatus, readonly StepStatus[]> = {
  created: ["running", "completed", "failed"],
  running: ["completed", "failed"],
  completed: [],
  failed: [],
};

type StepChange = PlatformEventPayloads["step.changed"];
type RunEnd = PlatformEventPayloads["run.ended"];

/**
 * The events to write for what a client reports: its drafts, without those that change nothing, and what follows from them. Throws ILLEGAL_TRANSITION, STEP_NOT_FOUND, LIMIT_REACHED or INVALID_REQUEST.
 */
export function planTold({ run, steps }: ClientState, drafts: readonly ClientDraft[]): EventDraft[] {
  let status: RunStatus = run.status;
  /** Steps that these drafts have added or changed. */
  const latest = new Map<string, Step>();
  const planned: EventDraft[] = [];
  let count = steps.length;

  function find(id: string): Step | undefined {
    return latest.get(id) ?? steps.find((step) => step.id === id);
  }

  function write(draft: EventDraft): void {
    const next = nextStatus({ status, byClient: true }, draft);
    if (next === undefined) throw refused(draft, run.id, status);
    status = next;
    planned.push(draft);
  }

  function add(draft: ClientDraft & { type: "step.added" }): void {
    const { step_id: id, name, input, additional_input } = draft.payload;
    if (!isUuid(id)) throw new ProctorError("INVALID_REQUEST", "step_id: must be a UUID");
    if (find(id) !== undefined) {
      throw new ProctorError("ILLEGAL_TRANSITION", `run ${run.id} has a step ${id} already`, {
        details: { run_id: run.id, step_id: id },
      });
    }
    write(draft);
    if (count >= MAX_STEPS_HELD) {
      const message = `run ${run.id} has ${MAX_STEPS_HELD} steps and takes no more`;
      throw new ProctorError("LIMIT_REACHED", message, { details: { run_id: run.id, max: MAX_STEPS_HELD } });
    }
    latest.set(id, newStep(id, count++, name, input, additional_input));
  }

  function change(change: StepChange): void {
    const before = find(change.step_id);
    if (before === undefined) throw noStep(run.id, change.step_id);
    if (before.owner === "executor") throw owned(run.id, before);
    const after = changed(before, change);
    // A repetition of the present state is no change, whatever the run's status. A running step reports that it still runs.
    if (before.status !== "running" && isSame(before, after)) return;
    if (after.status !== before.status && !STEP_TRANSITIONS[before.status].includes(after.status)) {
      throw backwards(run.id, before, after.status);
    }
    if (isOver(before.status) && replaces(before, after)) throw settled(run.id, before);
    if (status === "paused" && before.status !== "running") throw held(run.id, before);
    latest.set(before.id, after);
    write({ type: "step.changed", payload: change });
    if (after.is_last && isOver(after.status)) end(endBy(after));
  }

  /** Ends the run; steps that are still running fail with it. */
  function end(payload: RunEnd): void {
    if (isTerminal(status)) throw refused({ type: "run.ended", payload }, run.id, status);
    const why = payload.failure?.message ?? `the run ended as ${payload.status}`;
    for (const { id } of [...steps, ...latest.values()]) {
      const step = find(id);
      if (step?.status !== "running") continue;
      const failed = {
        status: "failed" as const,
        additional_output: { error: why, ...step.additional_output },
      };
      write({ type: "step.changed", payload: { step_id: id, ...failed } });
      latest.set(id, { ...step, ...failed });
    }
    write({ type: "run.ended", payload });
  }

  for (const draft of drafts) {
    switch (draft.type) {
      case "step.added":
        add(draft);
        break;
      case "step.changed":
        change(draft.payload);
        break;
      case "run.ended":
        end(draft.payload);
        break;
      default:
        write(draft);
    }
  }
  return planned;
}

function newStep(
  id: string,
  index: number,
  name: string,
  input: Json,
  additionalInput: Step["additional_input"],
): Step {
  return {
    id,
    index,
    owner: "client",
    name,
    status: "created",
    input,
    output: null,
    additional_input: additionalInput,
    additional_output: {},
    is_last: false,
    // The fold takes the date from the event.
    created_at: "",
    started_at: null,
    completed_at: null,
    artifact_ids: [],
  };
}

/** Returns the step with the fields that the change names; each replaces the former value. */
function changed(step: Step, { status, output, additional_output, is_last }: StepChange): Step {
  return {
    ...step,
    ...(status !== undefined && { status }),
    ...(output !== undefined && { output }),
    ...(additional_output !== undefined && { additional_output }),
    ...(is_last !== undefined && { is_last }),
  };
}

function isSame(before: Step, after: Step): boolean {
  return before.status === after.status && canonicalJson(before) === canonicalJson(after);
}

/** Returns whether a change replaces an output: that of a finished step may be filled in, but not replaced. */
function replaces(before: Step, after: Step): boolean {
  const had = before.output !== null && canonicalJson(before.output) !== canonicalJson(after.output);
  const more = Object.keys(before.additional_output).length > 0;
  return had || (more && canonicalJson(before.additional_output) !== canonicalJson(after.additional_output));
}

function endBy({ name, status }: Step): RunEnd {
  if (status === "completed") return { status };
  return { status: "failed", failure: failure("STEP_FAILED", `the last step failed: ${name}`) };
}

function noStep(runId: string, stepId: string): ProctorError {
  return new ProctorError("STEP_NOT_FOUND", `run ${runId} has no step ${stepId}`, {
    details: { run_id: runId, step_id: stepId },
  });
}

function refused(draft: EventDraft, runId: string, status: RunStatus): ProctorError {
  const what =
    draft.type === "step.added" && status === "paused" ? "new step until it is resumed" : draft.type;
  return new ProctorError("ILLEGAL_TRANSITION", `run ${runId} is ${status}: it takes no ${what}`, {
    details: { run_id: runId, status, event: draft.type },
  });
}

function owned(runId: string, { id }: Step): ProctorError {
  return new ProctorError("ILLEGAL_TRANSITION", `step ${id} is owned by the agent: no client changes it`, {
    details: { run_id: runId, step_id: id, owner: "executor" },
  });
}

function backwards(runId: string, { id, status }: Step, wanted: string): ProctorError {
  return new ProctorError("ILLEGAL_TRANSITION", `step ${id} is ${status}: it cannot become ${wanted}`, {
    details: { run_id: runId, step_id: id, status, wanted },
  });
}

function settled(runId: string, { id, status }: Step): ProctorError {
  return new ProctorError(
    "ILLEGAL_TRANSITION",
    `step ${id} is ${status}: its output cannot be changed any more`,
    {
      details: { run_id: runId, step_id: id, status },
    },
  );
}

function held(runId: string, { id, status }: Step): ProctorError {
  const message = `run ${runId} is paused: only a running step may go on, and step ${id} is ${status}`;
  return new ProctorError("ILLEGAL_TRANSITION", message, {
    details: { run_id: runId, step_id: id, status },
  });
}
