// Drives an agent that speaks A2A: a run is a task of it, or a lone message. Where it is reached is driver/connect.ts, what is said between
// is driver/conversation.ts.
import { createHttpClient, type HttpClient, type HttpClientOptions } from "../../channels/http/client.ts";
import type { Failure } from "../../core/failure.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { AgentDriver, AgentReport, Job, StopSignals } from "../../core/ports/driver.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { createAuths, type Auths } from "./client/auth/auths.ts";
import type { WireProblem } from "./codec.ts";
import { connect, type Connection } from "./driver/connect.ts";
import { readContinuation } from "./driver/continuation.ts";
import { converse, type Outcome } from "./driver/conversation.ts";
import { createLetters, type Letters } from "./driver/letters.ts";
import { createLine } from "./driver/line.ts";
import { encodeLetter, encodeTask } from "./driver/outgoing.ts";
import { problemReport } from "./driver/reports.ts";
import { createSessionLog } from "./driver/session-log.ts";
import { settingsOf } from "./driver/settings.ts";
import { createTaskReader } from "./driver/task-reader.ts";
import type { A2aCall, Binding } from "./service.ts";
import { A2A_TALKS } from "./talks.ts";

export interface A2aDriverOptions extends HttpClientOptions {
  clock?: Clock;
}

interface Parts {
  http: HttpClient;
  clock: Clock;
  auths: Auths;
}

export function createA2aDriver({ clock = systemClock, ...options }: A2aDriverOptions = {}): AgentDriver {
  const http = createHttpClient(options);
  const parts: Parts = { http, clock, auths: createAuths({ http, clock }) };
  return {
    talks: A2A_TALKS,
    open(job, signals) {
      const letters = createLetters();
      return {
        say: (message) => letters.post({ kind: "say", message }),
        answer: (questionId, answer) => letters.post({ kind: "answer", questionId, answer }),
        [Symbol.asyncIterator]: () => session(parts, job, signals, letters),
      };
    },
  };
}

async function* session(
  parts: Parts,
  job: Job,
  signals: StopSignals,
  letters: Letters,
): AsyncGenerator<AgentReport> {
  const left = new AbortController();
  const leaving = AbortSignal.any([signals.kill, left.signal]);
  const problems: WireProblem[] = [];
  const noted = (): AgentReport[] => problems.splice(0).map(problemReport);
  try {
    const reports = perform(parts, { job, cancel: signals.cancel, leaving, letters, problems });
    for (;;) {
      const next = await reports.next();
      // What was wrong with a message comes before what the message says.
      yield* noted();
      if (next.done !== true) yield next.value;
      else return yield lastReport(next.value);
    }
  } finally {
    // A reader that stops in the middle closes every connection, too.
    left.abort();
    letters.close("the session with the agent is over");
  }
}

interface Performance {
  job: Job;
  cancel: AbortSignal;
  leaving: AbortSignal;
  letters: Letters;
  /** Filled with what agents get wrong in messages that are usable all the same. */
  problems: WireProblem[];
}

async function* perform(
  { http, clock, auths }: Parts,
  { job, cancel, leaving, letters, problems }: Performance,
): AsyncGenerator<AgentReport, Outcome> {
  if (cancel.aborted && job.resume === undefined) return { end: { status: "cancelled" } };
  const settings = settingsOf(job.spec);
  if ("refused" in settings) return failed(settings.refused);
  const known = readContinuation(job.conversation?.continuation);
  // What a run before this one knew says where to go on, and not how.
  const own = job.resume === undefined ? undefined : known;
  const spoken = own?.interface && { interface: own.interface, streams: own.streams === true };
  const connection = await connect(
    settings,
    { traceId: job.traceId, signal: leaving, ...(spoken && { known: spoken }) },
    { http, authOf: auths.of, onProblem: (problem) => problems.push(problem) },
  );
  if (leaving.aborted) return { end: { status: "cancelled" } };
  if ("refused" in connection) return failed(connection.refused);
  const isResumed = own?.taskId !== undefined;
  const first = isResumed ? undefined : await encodeTask(job, settings, known);
  if (first !== undefined && "refused" in first) return failed(first.refused);
  const reader = createTaskReader(isResumed ? own : undefined, (job.resume?.pending ?? 0) > 0);
  const callOf = (lastEventId?: string): A2aCall =>
    callFor(connection, job, { extensions: settings.extensions, signal: leaving, lastEventId });
  return yield* converse(
    {
      reader,
      line: createLine({ connection, clock, signal: leaving, callOf }),
      letters,
      session: createSessionLog(reader, connection),
      version: connection.version,
      clock,
      encode: (letter, taskId) => encodeLetter(letter, settings, { taskId, contextId: reader.contextId }),
      cancel,
      leaving,
      pending: job.resume?.pending ?? 0,
      before: own,
    },
    first?.request,
  );
}

function callFor(
  { interface: spoken, version }: Connection,
  { traceId }: Job,
  more: { extensions: readonly string[]; signal: AbortSignal; lastEventId: string | undefined },
): A2aCall {
  const { extensions, signal, lastEventId } = more;
  return {
    version,
    // `connect` refuses an interface whose binding nobody here speaks.
    binding: spoken.protocolBinding as Binding,
    headers: {},
    extensions,
    ...(lastEventId !== undefined && { lastEventId }),
    origin: "",
    basePath: "",
    traceId,
    signal,
  };
}

function lastReport(outcome: Outcome): AgentReport {
  return "end" in outcome ? { kind: "end", end: outcome.end } : { kind: "parked", checkAt: outcome.checkAt };
}

function failed(why: Failure): Outcome {
  return { end: { status: "failed", failure: why } };
}
