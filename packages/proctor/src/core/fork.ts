// Going on from a point of an ended run in another one: where that is possible, and the request that does it. The fork follows the run and knows
// what was said up to the point, or begins with the files of the terminal as they were after a step.
import type { AgentSpec } from "./agent.ts";
import { ProctorError } from "./errors.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import type { Hub, RunRequest, SubmitOptions, Submitted } from "./ports/hub.ts";
import type { Run } from "./run.ts";
import type { RunOptions } from "./run-options.ts";
import type { Constraints } from "./task.ts";

/** A place of a run from which another can go on. */
export type ForkPoint =
  /** After something that the agent said; `sequence` is that of the event. */
  | { kind: "message"; sequence: number }
  /** After a step of a terminal, whose files were kept. */
  | { kind: "step"; step: number }
  /** After the run. */
  | { kind: "end" };

export interface ForkRequest {
  /** Sequence of an agent's message: the fork does not know what was said later. The run's end when neither this nor `step` is given. */
  after?: number;
  /** Number of a step of a terminal. */
  step?: number;
  /** What is said next; at a step it replaces the task. */
  message?: string;
  /** The agent of the fork; the run's agent when absent. */
  agent?: string | AgentSpec;
  /** Constraints of the fork; the run's constraints when absent. */
  constraints?: Constraints;
}

/** Where a run was forked from, as its metadata has it under `forked_from`. */
export interface ForkedFrom {
  run_id: string;
  sequence?: number;
  step?: number;
}

/** Returns undefined for a run that is not a fork. */
export function forkedFrom(metadata: JsonObject): ForkedFrom | undefined {
  const { forked_from: from } = metadata;
  if (!isJsonObject(from) || typeof from["run_id"] !== "string") return undefined;
  const { run_id, sequence, step } = from;
  return {
    run_id,
    ...(typeof sequence === "number" && { sequence }),
    ...(typeof step === "number" && { step }),
  };
}

/** Returns the sequence of the last event that the fork knows of the run it follows; undefined for a fork that knows all of it. */
export function knownUntil({
  follows,
  metadata = {},
}: Pick<RunRequest, "metadata"> & { follows?: string | null }): number | undefined {
  const from = forkedFrom(metadata);
  return from !== undefined && from.run_id === follows ? from.sequence : undefined;
}

/** Forks with the rights of the holder of this hub. */
export async function forkRun(
  hub: Pick<Hub, "run" | "forkPoints" | "submit">,
  id: string,
  request: ForkRequest,
  options?: SubmitOptions,
): Promise<Submitted> {
  const run = await hub.run(id);
  const points = await hub.forkPoints(id);
  return hub.submit(forkRequest(run, points, request), options);
}

/** Throws NOT_SUPPORTED where the run cannot be forked, and INVALID_REQUEST where nothing is said next. */
export function forkRequest(run: Run, points: readonly ForkPoint[], request: ForkRequest): RunRequest {
  const { after, step, message } = request;
  if (after !== undefined && step !== undefined)
    throw new ProctorError("INVALID_REQUEST", "step: a fork is made after an event or a step, not both");
  const wanted = points.find((point) => isAsked(point, request));
  if (wanted === undefined) throw cannotFork(run, points, request);
  // Values of the environment are secrets that were never kept; nor was that of a webhook, whose receiver asked for another run.
  const { environment: _, ...context } = run.context;
  const { request_violations: __, webhook: ___, ...options } = run.options;
  const from: ForkedFrom = {
    run_id: run.id,
    ...(after !== undefined && { sequence: after }),
    ...(step !== undefined && { step }),
  };
  const same = {
    agent: request.agent ?? run.agent,
    constraints: request.constraints ?? run.constraints,
    ...(Object.keys(context).length > 0 && { context }),
    metadata: { ...run.metadata, forked_from: { ...from } },
  };
  if (wanted.kind === "step") {
    const task = message === undefined ? run.task : { ...run.task, description: message };
    return { ...same, task, conversation_id: run.conversation_id, options: atStep(options, from) };
  }
  if (message === undefined || message.trim() === "")
    throw new ProctorError("INVALID_REQUEST", "message: say what comes next in the fork");
  return { ...same, task: { description: message }, follows: run.id, options };
}

function isAsked(point: ForkPoint, { after, step }: ForkRequest): boolean {
  if (step !== undefined) return point.kind === "step" && point.step === step;
  if (after !== undefined) return point.kind === "message" && point.sequence === after;
  return point.kind === "end";
}

/** Leaves out what the run was given, or read into its environment, at its beginning: the files of the step contain it already. */
function atStep(options: RunOptions, { run_id, step }: ForkedFrom): RunOptions {
  const { files: _, ...environment } = options.environment ?? {};
  const { script: __, ...terminal } = options.terminal ?? {};
  return {
    ...options,
    environment: { ...environment, from: { run_id, ...(step !== undefined && { step }) } },
    terminal,
  };
}

function cannotFork(run: Run, points: readonly ForkPoint[], { after, step }: ForkRequest): ProctorError {
  const where =
    step !== undefined ? `after step ${step}` : after !== undefined ? `after event ${after}` : "at its end";
  const there = points.map((point) => nameOf(point));
  const next =
    run.ended_at === null
      ? `It is ${run.status}: wait for its end, or cancel it.`
      : there.length === 0
        ? `Nothing of it can be gone on from: ${run.agent} is not told what came before, and no files of a terminal were kept. Run the task again instead.`
        : `It can be forked ${there.join(", ")}.`;
  return new ProctorError("NOT_SUPPORTED", `run ${run.id} cannot be forked ${where}\n${next}`, {
    details: { run_id: run.id, points: points.map((point) => ({ ...point })) },
  });
}

function nameOf(point: ForkPoint): string {
  switch (point.kind) {
    case "message":
      return `after event ${point.sequence}`;
    case "step":
      return `after step ${point.step}`;
    case "end":
      return "at its end";
  }
}
