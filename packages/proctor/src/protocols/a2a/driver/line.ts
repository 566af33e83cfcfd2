// The line to an agent's tasks: sends messages, and finds a task again when its source is over, a bounded number of times.
import { failure, type Failure } from "../../../core/failure.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { pause } from "../../../runtime/time/pause.ts";
import { failureOf, isBroken } from "../client/transport-failure.ts";
import { A2aError } from "../errors.ts";
import type { A2aTask, SendRequest, SendResult } from "../model.ts";
import type { A2aCall, A2aStream } from "../service.ts";
import type { Connection } from "./connect.ts";
import { pollSource, streamSource, type Source } from "./sources.ts";

export interface LineDeps {
  connection: Connection;
  clock: Clock;
  /** Aborts when everything is to be released. */
  signal: AbortSignal;
  callOf: (lastEventId?: string) => A2aCall;
}

/** Result of sending a message, or of finding a task again. */
export type Reached =
  /** `task` is its state, if that is already known. */
  | { kind: "source"; source: Source; task?: A2aTask }
  | { kind: "result"; result: SendResult }
  | { kind: "failed"; failure: Failure; error: A2aError };

export interface Line {
  /** Sends a message and listens to its result. */
  send(request: SendRequest): Promise<Reached>;
  /** Sends a message in parallel to a source that goes on. Rejects with an A2aError. */
  aside(request: SendRequest): Promise<SendResult>;
  /** Resolves with a source of the task, from the frame after `lastEventId` where that is known. */
  again(taskId: string, lastEventId?: string): Promise<Reached>;
  /** Called when something new came: the tries are counted from the start again. */
  heard(): void;
  /** Resolves with the present state of the task. Tries again while the connection breaks. */
  look(taskId: string): Promise<Reached>;
  /** Rejects with an A2aError. */
  cancel(taskId: string): Promise<A2aTask>;
}

/** Times in a row that an agent is asked without anything new. */
const MAX_TRIES = 6;
const FIRST_PAUSE_MS = 100;
/** Errors of servers without streams, or without a stream of a task that has ended. */
const WITHOUT_STREAMS: ReadonlySet<string> = new Set(["UNSUPPORTED_OPERATION", "METHOD_NOT_FOUND"]);
const GO_ON = "to go on with the task";

export function createLine({ connection, clock, signal, callOf }: LineDeps): Line {
  const { service, version } = connection;
  let { streams } = connection;
  let tries = 0;

  const getTask = (taskId: string): Promise<A2aTask> => service.getTask({ id: taskId }, callOf());
  const poll = (taskId: string): Source => pollSource(() => getTask(taskId), { clock, signal });
  const sendOnly = (request: SendRequest): Promise<SendResult> => {
    const configuration = { ...request.configuration, returnImmediately: true };
    return service.send({ ...request, configuration }, callOf());
  };

  async function send(request: SendRequest): Promise<Reached> {
    if (streams) {
      try {
        return { kind: "source", source: streamSource(await service.stream(request, callOf())) };
      } catch (error) {
        // A message refused with such an error was not taken: the card was wrong, or there was none.
        if (!hasNoStreams(error)) throw error;
      }
    }
    const result = await sendOnly(request);
    // It is not the task that cannot be streamed.
    streams = false;
    return { kind: "result", result };
  }

  async function subscribe(taskId: string, lastEventId: string | undefined): Promise<Reached> {
    let stream: A2aStream;
    try {
      stream = await service.subscribe({ id: taskId }, callOf(lastEventId));
    } catch (error) {
      if (!hasNoStreams(error)) throw error;
      // It has ended (A2A 1.0, section 3.1.6), or there are no streams of tasks.
      return { kind: "source", source: poll(taskId), task: await getTask(taskId) };
    }
    const source = streamSource(stream);
    // 1.0 begins with the task; with 0.3 it is unknown what was missed.
    if (version === "1.0" || lastEventId !== undefined) return { kind: "source", source };
    try {
      return { kind: "source", source, task: await getTask(taskId) };
    } catch (error) {
      source.close();
      throw error;
    }
  }

  /** Tries again while the connection breaks. */
  async function patiently(act: () => Promise<Reached>): Promise<Reached> {
    for (;;) {
      tries += 1;
      if (tries > MAX_TRIES) return lost();
      // Rejects when the run is stopped; the request then fails as well.
      if (tries > 1) await pause(clock, FIRST_PAUSE_MS * 2 ** (tries - 2), signal).catch(() => undefined);
      const reached = await attempt(GO_ON, act);
      const isWorthAnother = reached.kind === "failed" && isBroken(reached.error) && tries < MAX_TRIES;
      if (!isWorthAnother || signal.aborted) return reached;
    }
  }

  return {
    send: (request) => attempt("the message", () => send(request)),
    aside: sendOnly,
    again: (taskId, lastEventId) =>
      patiently(async () =>
        streams ? subscribe(taskId, lastEventId) : { kind: "source", source: poll(taskId) },
      ),
    heard: () => void (tries = 0),
    look: (taskId) => patiently(async () => ({ kind: "result", result: { task: await getTask(taskId) } })),
    cancel: (taskId) => service.cancelTask({ id: taskId }, callOf()),
  };
}

async function attempt(asked: string, act: () => Promise<Reached>): Promise<Reached> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof A2aError)) throw error;
    return { kind: "failed", failure: failureOf(error, asked), error };
  }
}

function hasNoStreams(error: unknown): boolean {
  return error instanceof A2aError && WITHOUT_STREAMS.has(error.reason);
}

function lost(): Reached {
  const message = `the agent's stream ended before its task did, ${MAX_TRIES} times without anything new`;
  const error = new A2aError("INVALID_AGENT_RESPONSE", message);
  return { kind: "failed", failure: failure("NO_RESPONSE", message), error };
}
