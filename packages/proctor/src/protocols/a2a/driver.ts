// Drives an agent that speaks A2A: a run is a task of it, or a lone message. Where it is reached is driver/connect.ts, what is said between
// is driver/conversation.ts.
import { createHttpClient, type HttpClient, type HttpClientOptions } from "../../channels/http/client.ts";
import type { Failure } from "../../core/failure.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { AgentDriver, AgentReport, Job, StopSignals } from "../../core/ports/driver.ts";
import { rootSpanId } from "../../runtime/span-ids.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { tapped, type WireTap } from "../wire-tap.ts";
import { createAuths, type Auths } from "./client/auth/auths.ts";
import type { WireProblem } from "./codec.ts";
import { connect as connectTo, type Connect, type Connection } from "./driver/connect.ts";
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
  /** Finds the way to the agent, where it is not a server on the network. */
  connect?: Connect;
  /** Called instead of leaving a task that waits for an answer. */
  onWait?: () => Promise<void>;
}

interface Deps extends Required<Pick<A2aDriverOptions, "clock" | "connect">> {
  http: HttpClient;
  auths: Auths;
  onWait: A2aDriverOptions["onWait"];
}

export function createA2aDriver(options: A2aDriverOptions = {}): AgentDriver {
  const { clock = systemClock, connect = connectTo, onWait, ...others } = options;
  const http = createHttpClient(others);
  const deps: Deps = { http, clock, auths: createAuths({ http, clock }), connect, onWait };
  return {
    talks: A2A_TALKS,
    open(job, signals) {
      const letters = createLetters();
      return {
        say: (message) => letters.post({ kind: "say", message }),
        answer: (questionId, answer) => letters.post({ kind: "answer", questionId, answer }),
        [Symbol.asyncIterator]: () =>
          tapped(job, (tap) => session(deps, job, signals, letters, tap))[Symbol.asyncIterator](),
      };
    },
  };
}

async function* session(
  deps: Deps,
  job: Job,
  signals: StopSignals,
  letters: Letters,
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport> {
  const left = new AbortController();
  const leaving = AbortSignal.any([signals.kill, left.signal]);
  const problems: WireProblem[] = [];
  const noted = (): AgentReport[] => problems.splice(0).map(problemReport);
  const forget = tap && noteStops(tap, signals);
  try {
    const reports = perform(deps, { job, cancel: signals.cancel, leaving, letters, problems, tap });
    for (;;) {
      const next = await reports.next();
      // Problems of a message are reported before its content.
      yield* noted();
      if (next.done !== true) yield next.value;
      else return yield lastReport(next.value);
    }
  } finally {
    // A reader that stops in the middle closes every connection too.
    left.abort();
    forget?.();
    letters.close("the session with the agent is over");
  }
}

/** Notes where the platform stops the agent. Returns the function that ends the noting. */
function noteStops(tap: WireTap, { cancel, kill }: StopSignals): () => void {
  const stops = [
    [cancel, () => tap.sent("close", "", { name: "cancel" })],
    [kill, () => tap.sent("close", "", { name: "kill" })],
  ] as const;
  for (const [signal, note] of stops) {
    if (signal.aborted) note();
    else signal.addEventListener("abort", note, { once: true });
  }
  return () => {
    for (const [signal, note] of stops) signal.removeEventListener("abort", note);
  };
}

interface Performance {
  job: Job;
  cancel: AbortSignal;
  leaving: AbortSignal;
  letters: Letters;
  /** Collects what agents get wrong in messages that are still usable. */
  problems: WireProblem[];
  tap: WireTap | undefined;
}

async function* perform(
  { http, clock, auths, connect, onWait }: Deps,
  { job, cancel, leaving, letters, problems, tap }: Performance,
): AsyncGenerator<AgentReport, Outcome> {
  if (cancel.aborted && job.resume === undefined) return { end: { status: "cancelled" } };
  const settings = settingsOf(job.spec);
  if ("refused" in settings) return failed(settings.refused);
  const known = readContinuation(job.conversation?.continuation);
  // The knowledge of an earlier run says where to go on, and not how.
  const own = job.resume === undefined ? undefined : known;
  const spoken = own?.interface && { interface: own.interface, streams: own.streams === true };
  const connection = await connect(
    settings,
    {
      traceId: job.traceId,
      spanId: rootSpanId(job.runId),
      signal: leaving,
      ...(spoken && { known: spoken }),
    },
    { http, authOf: auths.of, onProblem: (problem) => problems.push(problem), tap },
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
      onWait,
    },
    first?.request,
  );
}

function callFor(
  { interface: spoken, version }: Connection,
  { traceId, runId }: Job,
  more: { extensions: readonly string[]; signal: AbortSignal; lastEventId: string | undefined },
): A2aCall {
  const { extensions, signal, lastEventId } = more;
  return {
    version,
    // `connect` refuses an interface with an unsupported binding.
    binding: spoken.protocolBinding as Binding,
    headers: {},
    extensions,
    ...(lastEventId !== undefined && { lastEventId }),
    origin: "",
    basePath: "",
    traceId,
    spanId: rootSpanId(runId),
    signal,
  };
}

function lastReport(outcome: Outcome): AgentReport {
  return "end" in outcome ? { kind: "end", end: outcome.end } : { kind: "parked", checkAt: outcome.checkAt };
}

function failed(why: Failure): Outcome {
  return { end: { status: "failed", failure: why } };
}
