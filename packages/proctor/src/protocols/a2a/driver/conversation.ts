// One run on one task, from the first message to the task's end: hears its news, sends what clients say and answer, looks for it again after
// a cut, and leaves it while it waits for somebody. What is heard means what task-reader.ts says; how it is reached is line.ts.
import { failure, type Failure } from "../../../core/failure.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { AgentEnd, AgentReport } from "../../../core/ports/driver.ts";
import { noteReport } from "../../reports.ts";
import { failureOf, isBroken, TransportFailure } from "../client/transport-failure.ts";
import { A2aError } from "../errors.ts";
import type { SendRequest, StreamResponse } from "../model.ts";
import type { A2aVersion, StreamFrame } from "../service.ts";
import { createBell } from "./bell.ts";
import { checkAt } from "./check-at.ts";
import type { Continuation } from "./continuation.ts";
import { createDelivery } from "./delivery.ts";
import { createEar } from "./ear.ts";
import { cancelledEnd, endOf, failedEnd } from "./end.ts";
import type { Letter, Letters } from "./letters.ts";
import type { Line, Reached } from "./line.ts";
import { ruleReport } from "./reports.ts";
import type { SessionLog } from "./session-log.ts";
import type { TaskReader } from "./task-reader.ts";

export interface ConversationDeps {
  reader: TaskReader;
  line: Line;
  letters: Letters;
  session: SessionLog;
  version: A2aVersion;
  clock: Clock;
  encode: (letter: Letter, taskId: string) => SendRequest;
  /** Aborts when the task is to be cancelled. */
  cancel: AbortSignal;
  /** Aborts when everything is to be released. */
  leaving: AbortSignal;
  /** Number of messages and answers that the engine will bring. */
  pending: number;
  /** What an earlier session knew of the task. */
  before: Continuation | undefined;
  /** Called instead of leaving a task that waits for an answer; absent where such a task is left. */
  onWait?: (() => Promise<void>) | undefined;
}

export type Outcome = { end: AgentEnd } | { parked: true; checkAt: string };
type Steps = AsyncGenerator<AgentReport, Outcome | undefined>;

/** Milliseconds for which letters that the engine announced are waited for. */
const PENDING_MS = 30_000;

/** Without a first message, the task of `before` is continued. */
export async function* converse(
  deps: ConversationDeps,
  first: SendRequest | undefined,
): AsyncGenerator<AgentReport, Outcome> {
  const { reader, line, letters, session, clock, leaving } = deps;
  const bell = createBell();
  const ear = createEar(bell);
  const asides: StreamResponse[] = [];
  let lastEventId: string | undefined;
  let isFirstFrame = true;
  let cancelled = false;
  /** True when a source ended before the task did: something may have been missed. */
  let wasCut = first === undefined;
  const deliver = createDelivery({
    ...deps,
    hasSource: () => ear.source !== undefined,
    onAside(result) {
      asides.push(result);
      bell.ring();
    },
  });

  const isWaiting = (): boolean => reader.questions.open !== undefined && !deps.cancel.aborted;

  function* take(event: StreamResponse): Generator<AgentReport> {
    const reports = reader.take(event);
    if (reports.length > 0 || ear.source?.kind === "poll") line.heard();
    yield* reports;
    yield* session.after(reports);
  }

  /** A stream begins with its task, or is one message (A2A 1.0, section 3.1.2). */
  function* hear({ event, id }: StreamFrame): Generator<AgentReport> {
    const isUpdate = event.statusUpdate !== undefined || event.artifactUpdate !== undefined;
    if (isFirstFrame && isUpdate && deps.version === "1.0" && lastEventId === undefined) {
      yield ruleReport("a2a.stream.first", "the stream begins with neither a task nor a message", "stream");
    }
    isFirstFrame = false;
    lastEventId = id ?? lastEventId;
    yield* take(event);
  }

  function* follow(reached: Reached, wasBroken = false): Generator<AgentReport, Outcome | undefined> {
    if (reached.kind === "failed") {
      yield* troubleReports(reached.error);
      const isGone = wasBroken && reached.error.reason === "TASK_NOT_FOUND";
      const why = isGone ? forgotten(reached.failure) : reached.failure;
      return { end: leaving.aborted ? cancelledEnd(reader) : failedEnd(why, reader) };
    }
    if (reached.kind === "result") {
      yield* take(reached.result);
      return undefined;
    }
    ear.listen(reached.source);
    isFirstFrame = true;
    if (reached.task === undefined) return undefined;
    // Artifacts that come as events may already be in the task.
    if (reached.source.kind === "stream") reader.distrustArtifacts();
    yield* take({ task: reached.task });
    return undefined;
  }

  /** Goes on when the source has ended, or when there was none, and the task continues. */
  async function* lookAgain({ kind, error }: { kind?: "over"; error?: A2aError }): Steps {
    const { taskId } = reader;
    if (cancelled) return { end: cancelledEnd(reader) };
    if (reader.isLone && error === undefined) {
      reader.settle();
      return undefined;
    }
    if (error && (taskId === undefined || !isBroken(error))) {
      yield* troubleReports(error);
      return { end: failedEnd(failureOf(error, "the message"), reader) };
    }
    if (taskId === undefined) return { end: failedEnd(failure("NO_RESPONSE", NOTHING_SAID), reader) };
    if (kind === "over" && error === undefined) {
      yield ruleReport("a2a.stream.end", "the stream ended before the task did", "stream");
    }
    wasCut ||= kind === "over";
    return yield* follow(await line.again(taskId, lastEventId), error !== undefined);
  }

  async function* lookAt(taskId: string): Steps {
    const reached = await line.look(taskId);
    if (reached.kind !== "failed") return yield* follow(reached);
    yield noteReport(`the task could not be looked at: ${reached.failure.message}`);
    return undefined;
  }

  async function* cancel(taskId: string): Steps {
    cancelled = true;
    try {
      yield* take({ task: await line.cancel(taskId) });
    } catch (error) {
      if (!(error instanceof A2aError)) throw error;
      if (leaving.aborted) return undefined;
      yield noteReport(`the task was not cancelled: ${error.message}`);
      if (error.reason === "TASK_NOT_CANCELABLE") yield* lookAt(taskId);
      return endOf(reader) === undefined ? { end: cancelledEnd(reader) } : undefined;
    }
    return undefined;
  }

  /** Looks before it asks for a stream: a task that waits or has ended needs none. */
  async function* resume(): Steps {
    if (deps.cancel.aborted || reader.taskId === undefined) return undefined;
    return yield* follow(await line.look(reader.taskId), true);
  }

  async function* park(): Steps {
    // An answer by a policy is already on its way; others were announced.
    await bell.turn();
    if (letters.posted < deps.pending) await bell.rungWithin(clock, PENDING_MS);
    if (letters.waiting || deps.cancel.aborted || leaving.aborted) return undefined;
    if (deps.onWait) {
      await deps.onWait();
      await bell.rung();
      return undefined;
    }
    const { at, checks } = checkAt(reader, deps.before, clock.now());
    yield session.parked(checks);
    return { parked: true, checkAt: at };
  }

  async function* conclude(): AsyncGenerator<AgentReport, Outcome> {
    if (wasCut && reader.taskId !== undefined && !leaving.aborted) yield* lookAt(reader.taskId);
    yield* reader.conclude();
    return { end: endOf(reader) ?? cancelledEnd(reader) };
  }

  /** Does the next thing there is to do; waits when there is none. */
  async function* step(): Steps {
    const { taskId } = reader;
    if (taskId !== undefined && deps.cancel.aborted && !cancelled) return yield* cancel(taskId);
    const letter = taskId === undefined ? undefined : letters.next();
    if (letter && taskId !== undefined) {
      const reached = yield* deliver(letter, taskId);
      return reached && (yield* follow(reached));
    }
    const news = ear.take();
    if (news?.kind === "frame") return yield* hear(news.frame);
    if (news?.kind === "over" && !isWaiting()) return yield* lookAgain(news);
    if (ear.source === undefined || (ear.source.kind === "poll" && isWaiting())) {
      return yield* isWaiting() ? park() : lookAgain({});
    }
    ear.ask();
    await bell.rung();
    return undefined;
  }

  const ring = (): void => bell.ring();
  letters.onPost = ring;
  const signals = [deps.cancel, leaving];
  for (const signal of signals) signal.addEventListener("abort", ring);
  try {
    let outcome: Outcome | undefined;
    if (first === undefined) outcome = yield* resume();
    else if (!deps.cancel.aborted) outcome = yield* follow(await line.send(first));
    else outcome = { end: cancelledEnd(reader) };
    while (outcome === undefined) {
      for (const event of asides.splice(0)) yield* take(event);
      if (endOf(reader) !== undefined) outcome = yield* conclude();
      else if (leaving.aborted) outcome = { end: cancelledEnd(reader) };
      else outcome = yield* step();
    }
    return outcome;
  } finally {
    ear.leave();
    for (const signal of signals) signal.removeEventListener("abort", ring);
    letters.close("the session with the agent is over");
  }
}

const NOTHING_SAID = "the agent ended its answer without a task and without a message";

/** Returns reports worth keeping of an answer that cannot be used. */
function troubleReports({ cause }: A2aError): readonly AgentReport[] {
  return cause instanceof TransportFailure ? cause.reports : [];
}

/** An agent that was lost while it had the task is back without it: it may have done the work, as after any broken connection. */
function forgotten({ message, details }: Failure): Failure {
  return failure("CONNECTION_LOST", `the connection to the task broke, and ${message}`, details);
}
