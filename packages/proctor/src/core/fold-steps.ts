// The fold from a run's events to its steps: those that a client reported, or those that an agent's events amount to, and the result
// that follows them. Incremental and pure: give it the log in order, with what it returned before.
import { agentStep, resultStep, type StepContent } from "./agent-step.ts";
import type { PlatformEventPayloads, RunEvent } from "./event.ts";
import { applyEvent, type RunState } from "./fold.ts";
import { jsonSize } from "./json-size.ts";
import { isClientRun, type Run } from "./run.ts";
import { isOver, MAX_STEPS_HELD, type Step, type StepStatus } from "./step.ts";

export interface StepsState {
  /** The run after the last folded event. */
  run: RunState | null;
  /** The steps in order. An event that changes none of them keeps the array; a step that it changes becomes another object. */
  steps: readonly Step[];
  /** Number of an agent's steps that were counted but not kept. */
  beyond: number;
  /** Indexes of the steps whose tool calls have begun and not ended, by `call_id`. */
  openCalls: ReadonlyMap<string, number>;
  /** Ids of the agent's artifacts, which the result step lists. */
  produced: readonly string[];
  /** Characters that all steps hold, roughly. */
  weight: number;
}

export const NO_STEPS: StepsState = {
  run: null,
  steps: [],
  beyond: 0,
  openCalls: new Map(),
  produced: [],
  weight: 0,
};

/** Beyond this many characters, an agent's steps are held without their input and output, and a client's steps are refused. */
export const MAX_STEPS_CHARS = 32 * 1024 * 1024;

/** A state that is being changed. Its list of steps is copied before the first change. */
interface Draft extends Omit<StepsState, "steps"> {
  steps: Step[];
  openCalls: Map<string, number>;
  copied: boolean;
}

export function foldSteps(before: StepsState, event: RunEvent): StepsState {
  return foldAllSteps(before, [event]);
}

/** Folds several events without copying everything for each of them. */
export function foldAllSteps(before: StepsState, events: readonly RunEvent[]): StepsState {
  // `own` copies it before the first change.
  const steps = before.steps as Step[];
  const draft: Draft = { ...before, steps, openCalls: new Map(before.openCalls), copied: false };
  for (const event of events) {
    draft.run = applyEvent(draft.run, event.run_id, event, Date.parse(event.timestamp));
    apply(draft, event, draft.run);
  }
  const { copied: _, ...after } = draft;
  return after;
}

function apply(draft: Draft, event: RunEvent, { run }: RunState): void {
  switch (event.type) {
    case "step.added":
      return addTold(draft, event.payload, event.timestamp);
    case "step.changed":
      return changeTold(draft, event.payload, event.timestamp);
    case "artifact.added":
      return addArtifact(draft, event.payload);
    case "artifact.removed":
      return removeArtifact(draft, event.payload.artifact_id);
    case "run.ended":
      return isClientRun(run) ? undefined : addResult(draft, event, run);
    default: {
      const content = agentStep(event, run.metrics);
      if (content) addWork(draft, event, content);
    }
  }
}

function addTold(draft: Draft, told: PlatformEventPayloads["step.added"], at: string): void {
  const { step_id: id, name, input, additional_input } = told;
  push(draft, { ...blank(draft, id, "client", at), name, input, additional_input });
}

function changeTold(draft: Draft, told: PlatformEventPayloads["step.changed"], at: string): void {
  const index = draft.steps.findLastIndex(({ id }) => id === told.step_id);
  const step = draft.steps[index];
  if (step === undefined) return;
  const { status = step.status, output, additional_output, is_last } = told;
  replace(draft, index, {
    ...moved(step, status, at),
    ...(output !== undefined && { output }),
    ...(additional_output !== undefined && { additional_output }),
    ...(is_last !== undefined && { is_last }),
  });
}

/** A tool call that reports its start and its end is one step. */
function addWork(draft: Draft, event: RunEvent, content: StepContent): void {
  const callId = event.type === "tool_call" ? event.payload.call_id : undefined;
  const open = callId === undefined ? undefined : draft.openCalls.get(callId);
  const begun = open === undefined ? undefined : draft.steps[open];
  if (open !== undefined && begun !== undefined) {
    const { input, output, additional_output, status } = light(draft, content);
    replace(draft, open, {
      ...moved(begun, status, event.timestamp),
      input: input ?? begun.input,
      output,
      additional_output: { ...begun.additional_output, ...additional_output },
    });
    if (callId !== undefined && isOver(status)) draft.openCalls.delete(callId);
    return;
  }
  // The last place is kept for the result.
  if (draft.steps.length >= MAX_STEPS_HELD - 1) {
    draft.beyond += 1;
    return;
  }
  if (callId !== undefined && content.status === "running") draft.openCalls.set(callId, draft.steps.length);
  push(draft, agentsStep(draft, event, light(draft, content)));
}

/** Closes the open calls with the end of the run, and adds the result as the last step. */
function addResult(draft: Draft, event: RunEvent, run: Run): void {
  const result = resultStep(run);
  for (const [index, step] of draft.steps.entries()) {
    if (step.status === "running") replace(draft, index, moved(step, result.status, event.timestamp));
  }
  draft.openCalls.clear();
  const step = agentsStep(draft, event, result);
  push(draft, { ...step, is_last: true, artifact_ids: [...draft.produced] });
}

function addArtifact(draft: Draft, added: PlatformEventPayloads["artifact.added"]): void {
  const { artifact, step_id: stepId, by } = added;
  if (stepId === undefined) {
    if (by !== "client") draft.produced = [...draft.produced, artifact.id];
    return;
  }
  const index = draft.steps.findLastIndex(({ id }) => id === stepId);
  const step = draft.steps[index];
  if (step) replace(draft, index, { ...step, artifact_ids: [...step.artifact_ids, artifact.id] });
}

function removeArtifact(draft: Draft, artifactId: string): void {
  draft.produced = draft.produced.filter((id) => id !== artifactId);
  const index = draft.steps.findIndex(({ artifact_ids: ids }) => ids.includes(artifactId));
  const step = draft.steps[index];
  if (step === undefined) return;
  replace(draft, index, { ...step, artifact_ids: step.artifact_ids.filter((id) => id !== artifactId) });
}

function agentsStep(draft: Draft, { run_id, sequence, timestamp }: RunEvent, content: StepContent): Step {
  const { status, ...rest } = content;
  const step = blank(draft, `${run_id}-${sequence}`, "executor", timestamp);
  return moved({ ...step, ...rest }, status, timestamp);
}

function blank(draft: Draft, id: string, owner: Step["owner"], createdAt: string): Step {
  return {
    id,
    index: draft.steps.length + draft.beyond,
    owner,
    name: "",
    status: "created",
    input: null,
    output: null,
    additional_input: {},
    additional_output: {},
    is_last: false,
    created_at: createdAt,
    started_at: null,
    completed_at: null,
    artifact_ids: [],
  };
}

/** Sets the status; dates that are set already stay. */
function moved(step: Step, status: StepStatus, at: string): Step {
  // A clock may be set back. ISO 8601 in UTC sorts as text.
  const startedAt = step.started_at ?? later(step.created_at, at);
  return {
    ...step,
    status,
    started_at: status === "created" ? step.started_at : startedAt,
    completed_at: isOver(status) ? (step.completed_at ?? later(startedAt, at)) : step.completed_at,
  };
}

const later = (one: string, other: string): string => (one > other ? one : other);

/** Leaves out the content of a step that would make all of them too large, and records how much that was. */
function light(draft: Draft, content: StepContent): StepContent {
  const { input, output, additional_output } = content;
  const size = jsonSize(input) + jsonSize(output) + jsonSize(additional_output);
  if (draft.weight + size <= MAX_STEPS_CHARS) return content;
  return { ...content, input: null, output: null, additional_output: { omitted_chars: size } };
}

function own(draft: Draft): Step[] {
  if (!draft.copied) draft.steps = [...draft.steps];
  draft.copied = true;
  return draft.steps;
}

function push(draft: Draft, step: Step): void {
  own(draft).push(step);
  draft.weight += jsonSize(step);
}

function replace(draft: Draft, index: number, step: Step): void {
  draft.weight += jsonSize(step) - jsonSize(draft.steps[index]);
  own(draft)[index] = step;
}
