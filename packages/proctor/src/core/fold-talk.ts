// What was said, asked and answered in a run, as far as the run's document and its next events depend on it. Texts stay in the log.
import { ProctorError } from "./errors.ts";
import type { EventDraft } from "./event.ts";
import { MAX_MESSAGES } from "./message.ts";
import type { Answer, Question } from "./question.ts";
import { isTerminal, type Run, type RunStatus } from "./run.ts";

/** What the fold remembers of a run that talks. */
export interface TalkState {
  /** True while no process holds the session. */
  parked: boolean;
  /** Number of messages of the run. */
  messages: number;
  /** Number of questions that the run has asked. */
  asked: number;
  /** How each closed question was closed; the answer's id where there is one. */
  closed: Record<string, { how: "answered" | "withdrawn" | "expired"; answer_id?: string }>;
  /** Messages and answers of clients that the agent does not have yet. */
  undelivered: { kind: "message" | "answer"; id: string }[];
  /** Ids of the last messages that clients sent, to recognise one that arrives twice. */
  said: string[];
  /** When a worker checks on a parked session even without an answer, in ISO 8601. */
  check_at?: string;
  /** Why the run is to be cancelled, while no process holds its session. */
  cancel?: string;
}

export const SILENT_SO_FAR: TalkState = {
  parked: false,
  messages: 0,
  asked: 0,
  closed: {},
  undelivered: [],
  said: [],
};

/** Number of ids of clients' messages that are remembered. */
const MAX_SAID = 16;

export interface Talk {
  questions: Question[];
  talk: TalkState;
}

/** Returns undefined when the event is not part of a conversation. Throws QUESTION_NOT_FOUND, ANSWERED_ALREADY, LIMIT_REACHED. */
export function foldTalk(run: Run, talk: TalkState, status: RunStatus, draft: EventDraft): Talk | undefined {
  const { questions } = run;
  switch (draft.type) {
    case "message.added":
      return draft.payload.message.role === "user"
        ? { questions, talk: said(run, talk, draft.payload.message.id) }
        : { questions, talk: { ...talk, messages: talk.messages + 1 } };
    case "message.opened":
      return { questions, talk: { ...talk, messages: talk.messages + 1 } };
    case "message.delivered":
      return { questions, talk: delivered(talk, "message", draft.payload.id) };
    case "question.delivered":
      return { questions, talk: delivered(talk, "answer", draft.payload.id) };
    case "question.asked":
      return ask(run, talk, draft.payload.question);
    case "question.answered":
      return answer(run, talk, draft.payload.id, draft.payload.answer);
    case "question.withdrawn":
      return close(run, talk, draft.payload.id, "withdrawn");
    case "question.notified":
      return { questions: notified(questions, draft.payload), talk };
    case "question.expired":
      return expire(run, talk, draft.payload);
    case "session.parked":
      return { questions, talk: parked(talk, draft.payload.check_at) };
    case "run.started":
      return talk.parked ? { questions, talk: attached(talk) } : undefined;
    case "run.cancel_requested":
      return talk.parked && status === "queued"
        ? { questions, talk: { ...talk, cancel: draft.payload.reason } }
        : undefined;
    case "run.ended":
      return questions.length === 0 ? undefined : { questions: [], talk };
    default:
      return undefined;
  }
}

function parked(talk: TalkState, checkAt: string | undefined): TalkState {
  return { ...talk, parked: true, ...(checkAt !== undefined && { check_at: checkAt }) };
}

function attached(talk: TalkState): TalkState {
  const after = { ...talk, parked: false };
  delete after.check_at;
  return after;
}

function said(run: Run, talk: TalkState, id: string): TalkState {
  if (talk.messages >= MAX_MESSAGES) throw tooMany(run.id, MAX_MESSAGES, "messages");
  const asTask = isTerminal(run.status) || run.status === "created";
  return {
    ...talk,
    messages: talk.messages + 1,
    said: [...talk.said, id].slice(-MAX_SAID),
    // What was said before the run was queued is its task, which the agent gets anyway.
    undelivered: asTask ? talk.undelivered : [...talk.undelivered, { kind: "message", id }],
  };
}

/** Returns whether the run has a question of this id, open or closed. */
export function wasAsked({ run, talk }: { run: Run; talk?: TalkState }, id: string): boolean {
  return run.questions.some((open) => open.id === id) || Object.hasOwn(talk?.closed ?? {}, id);
}

function ask(run: Run, talk: TalkState, question: Question): Talk {
  return { questions: [...run.questions, question], talk: { ...talk, asked: talk.asked + 1 } };
}

function answer(run: Run, talk: TalkState, id: string, given: Answer): Talk {
  if (!run.questions.some((question) => question.id === id)) throw notOpen(run, talk, id);
  const closed = close(run, talk, id, "answered", given.id);
  return {
    ...closed,
    talk: { ...closed.talk, undelivered: [...closed.talk.undelivered, { kind: "answer", id }] },
  };
}

function notified(questions: Question[], { id, to }: { id: string; to: string[] }): Question[] {
  return questions.map((question) => (question.id === id ? { ...question, notified: to } : question));
}

/** A denial reaches the agent like an answer, and so does what the run's options say instead of one. */
function expire(run: Run, talk: TalkState, { id, effect }: { id: string; effect: string }): Talk {
  const wasOpen = run.questions.some((question) => question.id === id);
  const closed = close(run, talk, id, "expired");
  if (!wasOpen || effect === "fail") return closed;
  return {
    ...closed,
    talk: { ...closed.talk, undelivered: [...closed.talk.undelivered, { kind: "answer", id }] },
  };
}

/** The first event that closes a question counts: an owner may withdraw one that was answered a moment before. */
function close(
  run: Run,
  talk: TalkState,
  id: string,
  how: "answered" | "withdrawn" | "expired",
  answerId?: string,
): Talk {
  const questions = run.questions.filter((question) => question.id !== id);
  if (questions.length === run.questions.length) return { questions, talk };
  const closing = answerId === undefined ? { how } : { how, answer_id: answerId };
  return { questions, talk: { ...talk, closed: { ...talk.closed, [id]: closing } } };
}

function delivered(talk: TalkState, kind: "message" | "answer", id: string): TalkState {
  const undelivered = talk.undelivered.filter((one) => one.kind !== kind || one.id !== id);
  return { ...talk, undelivered };
}

/** Returns the ids of the open questions that the agent needs answered before it goes on. */
export function blockingOf({ questions }: Pick<Run, "questions">): string[] {
  return questions.filter(({ blocking }) => blocking).map(({ id }) => id);
}

function notOpen(run: Run, talk: TalkState, id: string): ProctorError {
  const closing = Object.hasOwn(talk.closed, id) ? talk.closed[id] : undefined;
  return closing ? closedAlready(run.id, id, closing.how) : questionNotFound(run.id, id);
}

export function questionNotFound(runId: string, id: string): ProctorError {
  return new ProctorError("QUESTION_NOT_FOUND", `run ${runId} has no question ${id}`, {
    details: { run_id: runId, question_id: id },
  });
}

export function closedAlready(runId: string, id: string, how: string): ProctorError {
  return new ProctorError("ANSWERED_ALREADY", `question ${id} of run ${runId} is ${how} already`, {
    details: { run_id: runId, question_id: id, how },
  });
}

function tooMany(runId: string, max: number, what: string): ProctorError {
  return new ProctorError("LIMIT_REACHED", `run ${runId} has ${max} ${what} and keeps no more`, {
    details: { run_id: runId, max },
  });
}
