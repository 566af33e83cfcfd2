// "Execute the next step" of the official protocol: who does the work, and when a step can be shown.
import { uuidV7 } from "../../../../core/id.ts";
import { isJsonObject, type JsonObject } from "../../../../core/json.ts";
import type { ClientDraft, ClientState } from "../../../../core/ports/hub.ts";
import { isClientRun, isTerminal, type Run } from "../../../../core/run.ts";
import type { Question } from "../../../../core/question.ts";
import { isOver, type Step } from "../../../../core/step.ts";
import { withinTime } from "../../../../runtime/time/within-time.ts";
import { ORIGIN } from "./documents.ts";
import { hear, type Heard } from "./hear.ts";
import { isHeld } from "./holds.ts";
import { pendingStep } from "./pending-step.ts";
import { openQuestionStep } from "./question-step.ts";
import type { Official } from "./context.ts";

export interface AskedStep {
  task: string;
  /** Milliseconds to wait for an unfinished step, which is then shown as it is. */
  waitMs: number;
  /** Input of the step; for a working agent an answer or a message, where it takes one. */
  input: string | null;
  name: string | undefined;
  additionalInput: JsonObject;
}

interface ShownStep {
  run: Run;
  steps: readonly Step[];
  step: Step;
  /** True when the step is a question, and not one of the numbered steps. */
  asks?: true;
}

export interface ExecutedStep extends ShownStep {
  /** Result of what the request said to an agent; absent where it said nothing. */
  heard?: Heard;
}

/** Rejects with the signal's reason when it aborts first. */
export async function nextStep(
  official: Official,
  asked: AskedStep,
  signal: AbortSignal,
): Promise<ExecutedStep> {
  const { hub, counts } = official;
  const { task } = asked;
  const { run, steps } = await hub.steps(task);
  if (!isClientRun(run)) return nextOfAgent(official, asked, { run, steps }, signal);
  if (isTerminal(run.status) && counts.get(task) === undefined) return lastStep(run, steps);
  if (isTerminal(run.status)) return nextInTurn(official, asked, signal);
  const added = await addStep(official, asked);
  if (added === undefined) return nextInTurn(official, asked, signal);
  return show(official, asked, signal, (found) => found.find(({ id }) => id === added));
}

async function nextOfAgent(
  official: Official,
  asked: AskedStep,
  { run, steps }: Pick<ShownStep, "run" | "steps">,
  signal: AbortSignal,
): Promise<ExecutedStep> {
  const { hub, counts, holds } = official;
  if (run.status === "created") await hub.start(asked.task);
  const heard = await hear(official, asked, run);
  const given = counts.get(asked.task)?.given;
  if (isTerminal(run.status) && given === undefined) return { ...lastStep(run, steps), heard };
  if (isHeld(run) && !isTerminal(run.status) && !isHeldAfter(run, steps[given ?? 0]))
    await holds.goOn(run, given ?? 0);
  return { ...(await nextInTurn(official, asked, signal)), heard };
}

/** Returns true when the step is over, and the agent does nothing more until it is let go on. */
function isHeldAfter(run: Run, step: Step | undefined): boolean {
  return step !== undefined && isOver(step.status) && run.status === "paused";
}

/** Shows the k-th step to the k-th request; after the end, the last one again and again. */
async function nextInTurn(official: Official, asked: AskedStep, signal: AbortSignal): Promise<ShownStep> {
  const { counts } = official;
  const { task, waitMs } = asked;
  const number = counts.get(task)?.given ?? 0;
  // Counted at once, so that a request that comes meanwhile waits for the step after it.
  if (waitMs > 0) counts.give(task, number);
  try {
    const shown = await show(official, asked, signal, (steps) => steps[number], number);
    if (shown.asks) counts.takeBack(task, number);
    else if (!isOver(shown.step.status)) counts.showEarly(task, number);
    else if (waitMs === 0) counts.give(task, number);
    return shown;
  } catch (error) {
    // No client has seen the step, so the next request gets it.
    if (waitMs > 0) counts.takeBack(task, number);
    throw error;
  }
}

/**
 * Resolves with the step that `pick` finds, when it or the task is over, or as it is when the client has waited long enough. A question that no
 * client was shown comes before a step that is not over.
 */
async function show(
  { hub, log, shown }: Official,
  { task, waitMs }: AskedStep,
  signal: AbortSignal,
  pick: (steps: readonly Step[]) => Step | undefined,
  number = 0,
): Promise<ShownStep> {
  const look = async (): Promise<ShownStep | undefined> => {
    const { run, steps } = await hub.steps(task);
    const step = pick(steps);
    if (isTerminal(run.status)) return step === undefined ? lastStep(run, steps) : { run, steps, step };
    if (step !== undefined && isOver(step.status)) {
      // The agent of a held task is paused before its step is shown.
      return !isHeld(run) || run.status === "paused" ? { run, steps, step } : undefined;
    }
    const [question] = run.questions;
    return question && !shown.has(run, question) ? ask(run, steps, question) : undefined;
  };
  const ask = (run: Run, steps: readonly Step[], question: Question): ShownStep => {
    shown.add(run, question);
    return { run, steps, step: openQuestionStep(run, question, steps.length), asks: true };
  };
  const asItIs = async (): Promise<ShownStep> => {
    const { run, steps } = await hub.steps(task);
    const [question] = run.questions;
    if (question && run.status !== "running") return ask(run, steps, question);
    return { run, steps, step: pick(steps) ?? pendingStep(run, number) };
  };
  if (waitMs === 0) return (await look()) ?? (await asItIs());
  return withinTime(signal, waitMs, async (patience) => {
    try {
      return await log.until(task, look, patience);
    } catch (error) {
      signal.throwIfAborted();
      if (!patience.aborted) throw error;
      return asItIs();
    }
  });
}

/** Returns the last step. A task that ended before it had any is shown with its end as the only step. */
export function lastStep(run: Run, steps: readonly Step[]): ShownStep {
  const last = steps.at(-1);
  if (last !== undefined) return { run, steps, step: last };
  const step: Step = {
    ...pendingStep(run, 0),
    name: "Result",
    status: run.status === "completed" ? "completed" : "failed",
    is_last: true,
  };
  return { run, steps: [step], step };
}

/**
 * Adds a step to a task that no agent works on, and returns its id; undefined when none was added. A task of this surface that was never worked on
 * waits for no client: its one step is over at once, repeats its input, and ends the task.
 */
async function addStep({ hub }: Official, asked: AskedStep): Promise<string | undefined> {
  const id = uuidV7();
  const { input, name, additionalInput } = asked;
  let added = false;
  const drafts = ({ run, steps }: ClientState): ClientDraft[] => {
    const alone = steps.length === 0 && isOurs(run);
    added = !isTerminal(run.status) && (alone || input !== null);
    if (!added) return [];
    const add: ClientDraft = {
      type: "step.added",
      payload: {
        step_id: id,
        name: name ?? `Step ${steps.length + 1}`,
        input,
        additional_input: additionalInput,
      },
    };
    if (!alone) return [add];
    const output = input ?? run.task.description;
    const done = { status: "completed", output, is_last: additionalInput["is_last"] !== false } as const;
    return [add, { type: "step.changed", payload: { step_id: id, ...done } }];
  };
  await hub.tell(asked.task, drafts);
  return added ? id : undefined;
}

function isOurs({ metadata }: Run): boolean {
  const origin = metadata[ORIGIN];
  return isJsonObject(origin) && origin["surface"] === "official";
}
