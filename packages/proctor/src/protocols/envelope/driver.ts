// Drives an agent that speaks envelopes: the task is an `execute`, sent to its URL or into its inbox; what it answers comes in the response
// to that request, or later as envelopes to the hub. Cancelling is a `cancel` envelope.
import { randomUUID } from "node:crypto";
import { createHttpClient, type HttpClient, type HttpClientOptions } from "../../channels/http/client.ts";
import { HUB, type Envelope } from "../../core/envelope.ts";
import { ProctorError } from "../../core/errors.ts";
import { failure, type Failure } from "../../core/failure.ts";
import type { AgentDriver, AgentReport, Job, StopSignals } from "../../core/ports/driver.ts";
import type { HubMail } from "../../core/ports/hub-mail.ts";
import { newSpanId } from "../../core/trace.ts";
import { rootSpanId } from "../../runtime/span-ids.ts";
import { logReport, violationReport } from "../reports.ts";
import { tapped, type WireTap } from "../wire-tap.ts";
import { answerEnvelope } from "./ask.ts";
import { decodeReply, encodeExecute } from "./codec.ts";
import { createHeardQueue, type HeardQueue } from "./heard.ts";
import { answerOverHttp, askOverHttp, tellOverHttp } from "./http-request.ts";
import { createQuestions, type Questions } from "./questions.ts";
import { ENVELOPE_TALKS } from "./talks.ts";

export interface EnvelopeDriverOptions extends HttpClientOptions {
  client?: HttpClient;
  mail?: HubMail;
}

/** Connection to the agent. */
interface Line {
  to: string;
  /** Sender that may answer by envelope; undefined for any sender that knows the id. */
  from: string | undefined;
  isKept: boolean;
  ask(envelope: Envelope, queue: HeardQueue, signal: AbortSignal): Promise<void>;
  /** Brings the answer to a question; rejects where the agent did not get it. */
  answer(envelope: Envelope, queue: HeardQueue, signal: AbortSignal): Promise<void>;
  tell(envelope: Envelope, signal: AbortSignal): Promise<void>;
}

export function createEnvelopeDriver(options: EnvelopeDriverOptions = {}): AgentDriver {
  const client = options.client ?? createHttpClient(options);
  return {
    talks: ENVELOPE_TALKS,
    open(job, signals) {
      const questions = createQuestions();
      return {
        ...tapped(job, (tap) => converse({ client, mail: options.mail, questions }, job, signals, tap)),
        answer: (questionId, answer) => questions.answer(questionId, answer),
      };
    },
  };
}

interface Deps {
  client: HttpClient;
  mail: HubMail | undefined;
  questions: Questions;
}

async function* converse(
  { client, mail, questions }: Deps,
  job: Job,
  { cancel, kill }: StopSignals,
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport> {
  const line =
    job.spec.transport === "inbox" ? inboxLine(job, mail) : httpLine(client, job, mail !== undefined);
  if ("refused" in line) return yield failed(line.refused);
  const id = randomUUID();
  const request = encodeExecute(job, {
    id,
    to: line.to,
    // What the agent does for the run stands below the run.
    spanId: rootSpanId(job.runId),
    nowMs: Date.now(),
    withSecrets: !line.isKept,
  });
  const queue = createHeardQueue();
  const leaving = new AbortController();
  const stop = AbortSignal.any([leaving.signal, kill]);
  const forget = mail?.expect(id, line.from, (envelope) => {
    tap?.received("envelope", JSON.stringify(envelope));
    if (!queue.offer({ envelope })) queue.offer({ over: tooMuch() });
  });
  questions.connect(async (questionId, answer, kind) => {
    if (line.isKept && kind === "auth" && answer.outcome === "given")
      throw new Error("credentials do not go through an inbox, which keeps what it gets");
    const names = { id: randomUUID(), questionId, spanId: newSpanId(), nowMs: Date.now() };
    const envelope = answerEnvelope(request, answer, names);
    tap?.sent("answer", JSON.stringify(envelope));
    await line.answer(envelope, queue, stop);
  });
  const askToStop = (): void => void line.tell(cancelOf(request), kill).catch(() => undefined);
  cancel.addEventListener("abort", askToStop, { once: true });
  try {
    tap?.sent("request", JSON.stringify(request));
    void line.ask(request, queue, stop);
    if (cancel.aborted) askToStop();
    for (;;) {
      const heard = await queue.next(stop);
      if (heard === undefined) return yield CANCELLED;
      if ("over" in heard) {
        if (heard.over === undefined || (questions.isWaited() && heard.over.code === "NO_RESPONSE")) continue;
        return yield cancel.aborted ? CANCELLED : failed(heard.over);
      }
      if ("garbage" in heard) {
        yield violationReport({ rule: "envelope.json", message: "not an envelope", owner: "proctor" });
        yield logReport(
          heard.garbage.slice(0, MAX_GARBAGE_CHARS),
          Math.max(0, heard.garbage.length - MAX_GARBAGE_CHARS),
        );
        continue;
      }
      for (const report of decodeReply(heard.envelope)) {
        if (report.kind === "question") questions.open(report.question);
        yield report;
        if (report.kind === "end") return;
      }
    }
  } finally {
    forget?.();
    cancel.removeEventListener("abort", askToStop);
    leaving.abort();
  }
}

const CANCELLED: AgentReport = { kind: "end", end: { status: "cancelled" } };
const MAX_GARBAGE_CHARS = 8000;

function httpLine(client: HttpClient, job: Job, canWait: boolean): Line | { refused: Failure } {
  const options = { client, spec: job.spec, canWait };
  return {
    to: "agent",
    from: undefined,
    isKept: false,
    ask: (envelope, queue, signal) => askOverHttp(options, envelope, queue, signal),
    answer: (envelope, queue, signal) => answerOverHttp(options, envelope, queue, signal),
    tell: (envelope, signal) => tellOverHttp(options, envelope, signal),
  };
}

function inboxLine({ spec }: Job, mail: HubMail | undefined): Line | { refused: Failure } {
  const name = (spec.url ?? "").replace(/^inbox:/, "");
  if (mail === undefined)
    return { refused: failure("UNREACHABLE", "this process has no inboxes; start a hub: proctor up") };
  return {
    to: name,
    from: name,
    isKept: true,
    async ask(envelope, queue) {
      try {
        await mail.post(envelope);
      } catch (error) {
        const why = ProctorError.is(error)
          ? `${error.code}: ${error.message}`
          : "the envelope could not be sent";
        queue.offer({ over: failure("UNREACHABLE", why) });
      }
    },
    answer: (envelope) => mail.post(envelope),
    tell: (envelope) => mail.post(envelope),
  };
}

function cancelOf({ id, to, trace, hops }: Envelope): Envelope {
  return {
    id: randomUUID(),
    from: HUB,
    to,
    type: "request",
    action: "cancel",
    payload: { id },
    inReplyTo: id,
    trace: { traceId: trace.traceId, spanId: newSpanId(), parentId: trace.spanId },
    timestamp: Date.now(),
    ...(hops !== undefined && { hops }),
  };
}

function tooMuch(): Failure {
  return failure("INVALID_RESPONSE", "the agent sends envelopes faster than they can be written down");
}

function failed(why: Failure): AgentReport {
  return { kind: "end", end: { status: "failed", failure: why } };
}
