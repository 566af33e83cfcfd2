// What is said between an agent at work and everyone else: messages and questions of the agent go to the log, and what others wrote
// there goes to the agent, once each.
import type { ArtifactLimits } from "../core/artifact.ts";
import type { RunEvent } from "../core/event.ts";
import { messageOf } from "../core/message-of.ts";
import { MAX_MESSAGE_CHARS, MAX_MESSAGES, type Message } from "../core/message.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { AgentReport, AgentSession } from "../core/ports/driver.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { RunStore } from "../core/ports/run-store.ts";
import type { ClaimedRun } from "../core/ports/store.ts";
import { MAX_QUESTIONS, type Answer, type Question } from "../core/question.ts";
import { createArtifactChunks, type KeepArtifact } from "./artifact-chunks.ts";
import type { AttemptLog } from "./attempt-log.ts";
import type { Canary } from "./canary.ts";
import type { Gate } from "../core/gate.ts";
import type { GrowingRedactor } from "./growing-redactor.ts";
import { createQuestions, type Questions } from "./questions.ts";
import type { Recorder } from "./recorder.ts";
import { openAnswer, secretsOfAnswer } from "./secrets.ts";
import type { Stopper } from "./stopper.ts";
import { createStreamedMessages, type StreamedMessages } from "./streamed-messages.ts";
import { findEarlierAnswer, readPending } from "./read-talk.ts";

/** The reports that belong to a conversation. */
export type TalkReport = Extract<
  AgentReport,
  { kind: "message" | "text" | "chunk" | "question" | "withdrawn" | "session" }
>;

export interface TalkDeps {
  store: RunStore;
  sealer: Sealer;
  clock: Clock;
  /** Returns whether a reader follows the log of the run as it grows. */
  isFollowed: (runId: string) => boolean;
  /** Called when a question is on disk, and waits for an answer. */
  onAsked?: (runId: string, question: Question) => void;
  artifactLimits: Pick<ArtifactLimits, "fileBytes">;
}

export interface TalkOptions {
  claimed: ClaimedRun;
  redactor: GrowingRedactor;
  canary: Canary | undefined;
  recorder: Recorder;
  log: AttemptLog;
  stopper: Stopper;
  gate: Gate;
  /** Resolves when everything that others wrote so far was acted on. */
  mailRead: () => Promise<void>;
  /** Called when the run begins, or ceases, to wait for an answer. */
  onWaiting: (waits: boolean) => void;
  /** Whether the run's work is other runs. */
  coordinates: boolean;
}

export interface Talk {
  /** Returns a promise to wait for before the next report is taken. */
  take(report: TalkReport, keep: KeepArtifact): Promise<void> | undefined;
  /** Called before any other report of the agent is taken. */
  before(report: AgentReport): Promise<void> | undefined;
  /** Acts on an event that another writer put into the log. */
  act(event: RunEvent): Promise<void>;
  /** Passes what waits for the agent to its session, which is open now. */
  opened(session: AgentSession): void;
  /** Reports that the agent has ended or was parked. */
  end(): Promise<void>;
  close(): void;
}

export function createTalk(deps: TalkDeps, options: TalkOptions): Talk {
  const { store, sealer, clock } = deps;
  const { claimed, redactor, canary, recorder, log, stopper, gate } = options;
  const { run, talk } = claimed;
  const record: AttemptLog["record"] = (draft) => log.record(draft);
  /** Messages that the agent streams, made with the first: most agents neither stream nor ask. */
  let streamed: StreamedMessages | undefined;
  let questions: Questions | undefined;
  let ready = (_session: AgentSession): void => undefined;
  const session = new Promise<AgentSession>((resolve) => (ready = resolve));
  let deliveries: Promise<void> = Promise.resolve();
  let chunks: ReturnType<typeof createArtifactChunks> | undefined;
  let messages = talk?.messages ?? 0;

  function speaking(): StreamedMessages {
    const isFollowed = (): boolean => deps.isFollowed(run.id);
    return (streamed ??= createStreamedMessages({ record, redactor, canary, clock, isFollowed }));
  }

  function asking(): Questions {
    return (questions ??= createQuestions({
      conversation: run.options.conversation,
      clock,
      stopper,
      record,
      async settle() {
        await recorder.flush();
        await options.mailRead();
      },
      deliver: async (question, answer, agentsId) =>
        deliver("answer", question.id, (to) => bringAnswer(to, question, answer, agentsId)),
      redact: (text) => redactor.text(text),
      earlierAnswer: (hash) => findEarlierAnswer(store, run, hash),
      onAsked: (question) => deps.onAsked?.(run.id, question),
      onWaiting: options.onWaiting,
      askedBefore: talk?.asked ?? 0,
      // A coordinator asks for each of its runs, and ends with them.
      most: options.coordinates ? Infinity : MAX_QUESTIONS,
    }));
  }

  /** Delivers one after the other, in the order of the log; records what cannot be delivered. */
  function deliver(kind: "message" | "answer", id: string, bring: (to: AgentSession) => Promise<void>): void {
    deliveries = deliveries.then(async () => {
      const to = await session;
      if (gate.closed) await gate.opened();
      if (stopper.cause !== undefined) return;
      try {
        await bring(to);
        const type = kind === "message" ? "message.delivered" : "question.delivered";
        await record({ type, payload: { id } });
      } catch (error) {
        const text = `${kind} ${id} did not reach the agent: ${messageOf(error)}`;
        await record({ type: "log", payload: { stream: "platform", text } });
      }
    });
    // A problem of the store ends the run where it is recorded.
    deliveries.catch(() => undefined);
  }

  async function bringAnswer(
    to: AgentSession,
    question: Question,
    answer: Answer,
    agentsId = question.id,
  ): Promise<void> {
    if (to.answer === undefined) throw new Error("its driver takes no answers");
    await to.answer(agentsId, question.kind === "auth" ? await unsealed(question.id, answer) : answer);
  }

  async function bringMessage(to: AgentSession, message: Message): Promise<void> {
    if (to.say === undefined) throw new Error("its driver takes no messages");
    await to.say(message);
  }

  /** Returns the answer with credentials that the log holds as `***`, and makes them secrets of the run. */
  async function unsealed(questionId: string, answer: Answer): Promise<Answer> {
    const sealed = (await store.readSecrets(run.id))?.sealed ?? null;
    const real = openAnswer(sealed, questionId, sealer) ?? answer;
    redactor.add(secretsOfAnswer(questionId, real));
    return real;
  }

  function addMessage(message: Message): Promise<void> | undefined {
    messages += 1;
    if (messages > MAX_MESSAGES)
      return tooMuch("message.count", `a run keeps at most ${MAX_MESSAGES} messages`);
    if (JSON.stringify(message).length > MAX_MESSAGE_CHARS) {
      return tooMuch(
        "message.too_large",
        `a message has more than ${MAX_MESSAGE_CHARS} characters; it is left out`,
      );
    }
    return record({ type: "message.added", payload: { message: { ...message, role: "agent" } } });
  }

  function tooMuch(rule: string, message: string): Promise<void> | undefined {
    return record({ type: "violation", payload: { rule, message } });
  }

  async function saveContinuation(report: Extract<TalkReport, { kind: "session" }>): Promise<void> {
    const { continuation, ids } = report;
    const sealed = sealer.seal(JSON.stringify({ agent: run.agent, continuation }));
    const payload = { protocol: claimed.spec.protocol, ...(ids && { ids }) };
    await recorder.write({ type: "session.opened", payload }, { continuation: sealed });
  }

  async function bringPending(): Promise<void> {
    for (const { kind, id, bring } of await readPending(store, run.id, talk?.undelivered ?? [])) {
      deliver(kind, id, (to) =>
        bring.kind === "message"
          ? bringMessage(to, bring.message)
          : bringAnswer(to, bring.question, bring.answer),
      );
    }
  }

  return {
    take(report, keep) {
      if (report.kind === "text") {
        const full = questions?.working();
        return speaking().add(report) ?? full;
      }
      const before = streamed?.flush();
      switch (report.kind) {
        case "message":
          void questions?.working();
          return addMessage(report.message) ?? before;
        case "question":
          return asking().ask(report.question);
        case "withdrawn":
          return questions?.withdraw(report.questionId, report.reason);
        case "session":
          return saveContinuation(report);
        case "chunk":
          chunks ??= createArtifactChunks({
            record,
            keep,
            redactor,
            maxBytes: deps.artifactLimits.fileBytes,
          });
          return chunks.add(report);
      }
    },
    before(report) {
      const full = streamed?.flush();
      const atWork = report.kind === "artifact" || (report.kind === "event" && WORK.has(report.event.type));
      return (atWork ? questions?.working() : undefined) ?? full;
    },
    async act(event) {
      log.heard(event);
      if (event.type === "question.answered")
        await questions?.answered(event.payload.id, event.payload.answer);
      if (event.type === "message.added" && event.payload.message.role === "user") {
        const { message } = event.payload;
        deliver("message", message.id, (to) => bringMessage(to, message));
      }
    },
    opened(opened) {
      const { questions: open } = log.state.run;
      if (open.length > 0) asking().restore(open);
      ready(opened);
      if ((talk?.undelivered.length ?? 0) > 0) deliveries = deliveries.then(bringPending);
    },
    async end() {
      await streamed?.end();
      await chunks?.end();
    },
    close: () => questions?.close(),
  };
}

/** Events of an agent that is at work. */
const WORK: ReadonlySet<string> = new Set(["tool_call", "llm_request", "reasoning", "artifact_created"]);
