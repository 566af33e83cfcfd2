// The frames of an agent's stream until its task is over, also when the connection is cut: then the agent is asked again, and what was told
// before is left out. A stream that ends though its task goes on is an error, once asking again has led nowhere.
import type { Clock } from "../../../core/ports/clock.ts";
import { pause } from "../../../runtime/time/pause.ts";
import { isBroken } from "../client/transport-failure.ts";
import { A2aError } from "../errors.ts";
import type { A2aTask, StreamResponse } from "../model.ts";
import type { A2aStream, StreamFrame } from "../service.ts";
import { isInterruptedState, isTerminalState } from "../states.ts";
import { withoutAddresses } from "./hide-addresses.ts";
import { createTold, type Told } from "./told.ts";

export interface FollowDeps {
  /** Asks the agent for the stream of a task by the agent's id. */
  subscribe: (taskId: string, signal: AbortSignal) => Promise<A2aStream>;
  getTask: (taskId: string) => Promise<A2aTask>;
  /** Whether a stream that was asked for again begins with the task as it is then (A2A 1.0, section 3.1.6); 0.3 says nothing about it. */
  beginsWithTask: boolean;
  clock: Clock;
  signal: AbortSignal;
}

/** Times that the agent is asked again without anything new. */
const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 200;
/** Milliseconds after which a connection counts as accepted, even if nothing happened on it. */
const LASTING_MS = 5000;

export async function* followTask(first: A2aStream, deps: FollowDeps): AsyncGenerator<StreamResponse> {
  const { clock, signal } = deps;
  const told = createTold();
  let stream: A2aStream = first;
  let failures = 0;
  for (;;) {
    const since = clock.now();
    let cut: unknown;
    try {
      for await (const { event } of stream) {
        if (!told.note(event)) continue;
        failures = 0;
        yield event;
        if (isOver(told)) return;
      }
    } catch (error) {
      if (!mayGoOn(error, told, signal)) throw withoutAddresses(error);
      cut = error;
    }
    if (mayEnd(told)) return;
    if (clock.now() - since >= LASTING_MS) failures = 0;
    if (++failures > MAX_ATTEMPTS || told.taskId === undefined) throw endedEarly(cut);
    await pause(clock, FIRST_PAUSE_MS * 2 ** (failures - 1), signal);
    stream = resume(told, told.taskId, deps);
  }
}

/** Yields what is new in the task, then what comes. The stream is open before the task is asked for, so that nothing falls between the two. */
async function* resume(told: Told, taskId: string, deps: FollowDeps): AsyncGenerator<StreamFrame> {
  const ending = new AbortController();
  try {
    const stream = await reopen(taskId, deps, AbortSignal.any([deps.signal, ending.signal]));
    if (stream === undefined || !deps.beginsWithTask) {
      for (const event of told.news(await deps.getTask(taskId))) yield { event };
    }
    for await (const frame of stream ?? []) {
      // A whole task is news only as far as it differs: agents of 0.3 may begin with it as well.
      if (frame.event.task) for (const event of told.news(frame.event.task)) yield { event };
      else yield frame;
    }
  } finally {
    // This also ends a stream that has not been read yet.
    ending.abort();
  }
}

/** Resolves with undefined where the agent does not stream the task: it has ended, or the agent has no streams. */
async function reopen(taskId: string, deps: FollowDeps, signal: AbortSignal): Promise<A2aStream | undefined> {
  try {
    return await deps.subscribe(taskId, signal);
  } catch (error) {
    if (error instanceof A2aError && error.reason === "UNSUPPORTED_OPERATION") return undefined;
    throw error;
  }
}

function isOver({ state, isMessage }: Told): boolean {
  return isMessage || (state !== undefined && isTerminalState(state));
}

/** Returns true while the task waits for the client: an agent may close the stream then. */
function mayEnd(told: Told): boolean {
  return isOver(told) || (told.state !== undefined && isInterruptedState(told.state));
}

/** Returns whether the stream broke, and the task may still go on. An error of the agent itself ends it. */
function mayGoOn(error: unknown, { taskId }: Told, signal: AbortSignal): boolean {
  return !signal.aborted && taskId !== undefined && error instanceof A2aError && isBroken(error);
}

function endedEarly(cause: unknown): A2aError {
  const message = "the agent's stream ended before its task was over, and asking again has not helped";
  return new A2aError("INVALID_AGENT_RESPONSE", message, { cause });
}
