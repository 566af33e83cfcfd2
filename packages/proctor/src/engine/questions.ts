// The questions of one attempt: policies answer some at once; for the others the run waits, its deadline stands still, and each has a
// time of its own. The log decides who answered; the agent gets the answer after its commit.
import { createHash } from "node:crypto";
import { canonicalJson } from "../core/canonical-json.ts";
import type { ConversationOptions } from "../core/conversation-options.ts";
import type { EventDraft } from "../core/event.ts";
import { failure } from "../core/failure.ts";
import { MAX_ID_CHARS, MAX_MESSAGE_CHARS } from "../core/message.ts";
import { closeUnanswered, decide, deny, expiredAnswer, needsOption, USUAL_OPTIONS } from "../core/policy.ts";
import type { Clock } from "../core/ports/clock.ts";
import {
  DEFAULT_EXPIRY_SECONDS,
  MAX_EXPIRY_SECONDS,
  type Answer,
  type NewQuestion,
  type Question,
} from "../core/question.ts";
import type { Stopper } from "./stopper.ts";

export interface Questions {
  ask(question: NewQuestion): Promise<void>;
  /** Reports that the agent no longer asks the question. */
  withdraw(id: string, reason: string): Promise<void>;
  /** Reports that the log has an answer. */
  answered(id: string, answer: Answer): Promise<void>;
  /** Reports that the agent does something while it says that it waits. */
  working(): Promise<void> | undefined;
  /** Resumes the questions that were open when the session was parked. */
  restore(questions: readonly Question[]): void;
  close(): void;
}

interface Open {
  question: Question;
  callOff: () => void;
}

export function createQuestions(options: {
  conversation: ConversationOptions | undefined;
  clock: Clock;
  stopper: Stopper;
  record: (draft: EventDraft) => Promise<void> | undefined;
  /** Resolves when everything recorded is on disk, and everything that others wrote before was acted on. */
  settle: () => Promise<void>;
  /** Passes an answer to the agent, which may know the question by an id that is not shown. */
  deliver: (question: Question, answer: Answer, agentsId: string) => Promise<void>;
  redact: (text: string) => string;
  /** Resolves with an answer to the same subject that an earlier, failed attempt got and could not use. */
  earlierAnswer: (subjectHash: string) => Promise<Answer | undefined>;
  /** Called when the question is on disk, and waits for an answer. */
  onAsked: (question: Question) => void;
  /** Called when the run begins, or ceases, to wait. */
  onWaiting: (waits: boolean) => void;
  /** Number of questions that the run asked before this attempt. */
  askedBefore: number;
  /** Most questions that the run may ask. */
  most: number;
}): Questions {
  const { conversation, clock, stopper, record, settle, redact, onWaiting } = options;
  const open = new Map<string, Open>();
  /** The agent's ids of all questions, by the id that is shown. */
  const known = new Map<string, string>();
  let asked = options.askedBefore;
  let waits = false;
  let caughtWorking = false;

  function deliver(question: Question, answer: Answer): Promise<void> {
    return options.deliver(question, answer, known.get(question.id) ?? question.id);
  }

  function updateWaiting(): void {
    const now = [...open.values()].some(({ question }) => question.blocking);
    if (now === waits) return;
    waits = now;
    if (now) stopper.pause("waiting");
    else stopper.resume("waiting");
    caughtWorking = false;
    onWaiting(now);
  }

  function arm(question: Question): () => void {
    const remainingMs = Math.max(0, Date.parse(question.expires_at) - clock.now());
    return clock.after(remainingMs, () => void expire(question));
  }

  function hold(question: Question): void {
    open.set(question.id, { question, callOff: arm(question) });
    updateWaiting();
  }

  /** Returns the question that was closed; undefined when it was not open. */
  function release(id: string): Question | undefined {
    const held = open.get(id);
    held?.callOff();
    open.delete(id);
    updateWaiting();
    return held?.question;
  }

  async function expire(question: Question): Promise<void> {
    const { id, kind } = question;
    const closing = closeUnanswered(question, conversation);
    await record({ type: "question.expired", payload: { id, ...closing } });
    // A client may have answered a moment before: then the log has the answer first, and it counts.
    await settle();
    if (release(id) === undefined) return;
    if (closing.effect !== "fail")
      return deliver(question, closing.answer ?? expiredAnswer(id, deny(question)));
    stopper.stop(noAnswer(`nobody answered in time: ${kind} ${id}`));
  }

  function shownId(id: string): string {
    return redact(id).slice(0, MAX_ID_CHARS);
  }

  function complete(question: NewQuestion): Question {
    const { id, kind, subject } = question;
    const decision = decide(question, conversation);
    const options_ = question.options ?? (needsOption(kind) ? [...USUAL_OPTIONS] : undefined);
    return {
      ...question,
      id: shownId(id),
      ...(options_ && { options: options_ }),
      ...(subject && { subject_hash: sha256(canonicalJson(subject)) }),
      blocking: question.blocking ?? true,
      audience: decision.kind === "ask" ? decision.audience : "client",
      expires_at: expiryOf(question, conversation, clock.now()),
    };
  }

  async function askNew(question: Question): Promise<void> {
    const { id, subject_hash: hash } = question;
    const decision = decide(question, conversation);
    const earlier = hash === undefined ? undefined : await options.earlierAnswer(hash);
    const askedEvent: EventDraft = { type: "question.asked", payload: { question } };
    if (earlier === undefined && decision.kind === "ask") {
      hold(question);
      void record(askedEvent);
      await settle();
      return options.onAsked(question);
    }
    const answer: Answer | undefined =
      earlier ??
      (decision.kind === "answer"
        ? { id: `policy:${id}`, by: { kind: "policy" }, ...decision.answer }
        : undefined);
    // The question is asked and closed in one commit.
    void record(askedEvent);
    if (answer === undefined) {
      void record({ type: "question.expired", payload: { id, effect: "fail" } });
      await settle();
      return stopper.stop(
        noAnswer(`the agent asked for ${question.kind}, and nobody can be asked in this run`),
      );
    }
    void record({ type: "question.answered", payload: { id, answer } });
    await settle();
    await deliver(question, answer);
  }

  return {
    async ask(given) {
      if (known.has(shownId(given.id))) return;
      if (asked >= options.most) {
        return stopper.stop(noAnswer(`the agent asked more than ${options.most} questions`));
      }
      if (JSON.stringify(given).length > MAX_MESSAGE_CHARS) {
        return stopper.stop(noAnswer(`a question has more than ${MAX_MESSAGE_CHARS} characters`));
      }
      known.set(shownId(given.id), given.id);
      asked += 1;
      await askNew(complete(given));
    },
    async withdraw(agentsId, reason) {
      const id = shownId(agentsId);
      if (!open.has(id)) return;
      await record({ type: "question.withdrawn", payload: { id, reason } });
      await settle();
      release(id);
    },
    async answered(id, answer) {
      const question = release(id);
      if (question) await deliver(question, answer);
    },
    working() {
      if (!waits || caughtWorking) return undefined;
      caughtWorking = true;
      stopper.resume("waiting");
      const message = "the agent went on working while a question that it waits for was open";
      return record({ type: "violation", payload: { rule: "question.not_blocking", message } });
    },
    restore(questions) {
      for (const question of questions) {
        known.set(question.id, question.id);
        hold(question);
      }
    },
    close() {
      for (const { callOff } of open.values()) callOff();
      open.clear();
    },
  };
}

function noAnswer(message: string) {
  return { status: "failed" as const, failure: failure("NO_ANSWER", message) };
}

function expiryOf(
  question: NewQuestion,
  conversation: ConversationOptions | undefined,
  nowMs: number,
): string {
  const seconds = conversation?.expires_seconds ?? DEFAULT_EXPIRY_SECONDS;
  const asked = Date.parse(question.expires_at ?? "");
  const wanted = Number.isNaN(asked) ? nowMs + seconds * 1000 : asked;
  return new Date(Math.min(Math.max(wanted, nowMs), nowMs + MAX_EXPIRY_SECONDS * 1000)).toISOString();
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
