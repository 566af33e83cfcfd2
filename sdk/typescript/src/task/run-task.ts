// The life of one task: from a request that was checked, through the agent function, to exactly one response.
import { setMaxListeners } from "node:events";
import { AgentError, describeThrown, ToolError } from "../protocol/errors.ts";
import type { AtpEvent, AtpRequest, AtpResponse } from "../protocol/messages.ts";
import { createRedactor, type Redactor } from "../secrets/redactor.ts";
import { decodeAnswer, type DecodedAnswer } from "./answer.ts";
import { createEmitter, type Emit } from "./emitter.ts";
import { encodeResponse } from "./encode-response.ts";
import { createMeter } from "./meter.ts";
import { createTask, type Task } from "./task.ts";

/**
 * An agent. The value that it returns is its result, or an `Answer`; an error that it throws makes the task fail. It should stop
 * when `task.signal` aborts.
 */
export type AgentFunction = (task: Task, emit: Emit) => unknown;

export interface RunningTask {
  readonly redactor: Redactor;
  /** Resolves with the response of the task. Never rejects. */
  readonly response: Promise<AtpResponse>;
  /** Resolves when the agent function has ended, which may be after the response. Never rejects. */
  readonly settled: Promise<void>;
  /** Ends the task as cancelled. The reason becomes the `error` of the response. */
  cancel(reason: string): void;
  /** Ends the task as failed, for an error that the agent function itself did not throw. */
  fail(error: unknown): void;
}

const DEFAULT_TIMEOUT_SECONDS = 300;
/** Milliseconds that an agent function has, after it was told to stop, to return what it has. */
const GRACE_MS = 500;

type Stop = { status: "cancelled"; reason: string } | { status: "timeout" | "failed"; error: unknown };
type Outcome = { answer: DecodedAnswer } | { error: unknown };

export function runTask(
  agent: AgentFunction,
  request: AtpRequest,
  send: (event: AtpEvent) => void,
): RunningTask {
  const redactor = createRedactor(request.context?.environment ?? {});
  const meter = createMeter();
  const { emit, end } = createEmitter(request.task_id, redactor, meter, send);
  const controller = new AbortController();
  // Every waiting call adds a listener, so many of them are not a leak.
  setMaxListeners(0, controller.signal);
  const seconds = request.constraints?.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS;
  let endGrace: (() => void) | undefined;
  const graceOver = new Promise<undefined>((resolve) => {
    endGrace = () => resolve(undefined);
  });
  let stop: Stop | undefined;
  let ended = false;
  let graceTimer: NodeJS.Timeout | undefined;

  function stopWith(why: Stop, reason: Error): void {
    if (ended || stop !== undefined) return;
    stop = why;
    graceTimer = setTimeout(() => endGrace?.(), GRACE_MS);
    controller.abort(reason);
  }

  const deadline = setTimeout(() => {
    const error = new AgentError("TIMEOUT", `The task exceeded its time limit of ${seconds} s`);
    stopWith({ status: "timeout", error }, error);
  }, seconds * 1000);

  // The function starts in a later turn, so that the caller of runTask can get ready for its events.
  const outcome: Promise<Outcome> = new Promise((resolve) => setImmediate(resolve))
    .then(() => {
      controller.signal.throwIfAborted();
      return agent(createTask(request, emit, controller.signal), emit);
    })
    .then((returned) => ({ answer: decodeAnswer(returned) }))
    .catch((error: unknown) => ({ error }));

  async function respond(): Promise<AtpResponse> {
    const result = await Promise.race([outcome, graceOver]);
    ended = true;
    clearTimeout(deadline);
    clearTimeout(graceTimer);
    end();
    const encode = (answer: DecodedAnswer): AtpResponse =>
      encodeResponse(request.task_id, redactor, answer, meter.read());
    try {
      return encode(answerOf(result, stop));
    } catch (error) {
      return encode(failed(error));
    }
  }

  return {
    redactor,
    response: respond(),
    settled: outcome.then(() => undefined),
    cancel: (reason) => stopWith({ status: "cancelled", reason }, new DOMException(reason, "AbortError")),
    fail: (error) =>
      stopWith({ status: "failed", error }, new DOMException(describeThrown(error), "AbortError")),
  };
}

function answerOf(result: Outcome | undefined, stop: Stop | undefined): DecodedAnswer {
  const answer = result !== undefined && "answer" in result ? result.answer : undefined;
  if (stop === undefined)
    return answer ?? failed(result !== undefined && "error" in result ? result.error : undefined);
  const { artifacts = [], metrics = {} } = answer ?? {};
  // Artifacts that the function still returned are kept, but the status says that it was stopped.
  if (stop.status === "cancelled") return { status: "cancelled", artifacts, metrics, error: stop.reason };
  return { ...failed(stop.error), status: stop.status, artifacts, metrics };
}

function failed(error: unknown): DecodedAnswer {
  const known = error instanceof AgentError || error instanceof ToolError ? error : undefined;
  return {
    status: "failed",
    artifacts: [],
    metrics: {},
    error: describeThrown(error),
    error_code: known?.code ?? "INTERNAL_ERROR",
    ...(known?.details !== undefined && { error_details: known.details }),
  };
}
