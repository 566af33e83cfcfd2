// Conversations with runs from outside: saying, answering, reading what was said, and continuing in another run.
import { MASK } from "../core/agent.ts";
import { checkAnswer, type CheckSchema } from "../core/check-answer.ts";
import { ProctorError, runEnded, runNotFound } from "../core/errors.ts";
import type { EventDraft } from "../core/event.ts";
import { closedAlready, questionNotFound } from "../core/fold-talk.ts";
import { knownUntil } from "../core/fork.ts";
import { uuidV7 } from "../core/id.ts";
import { MAX_ID_CHARS, MAX_MESSAGE_CHARS, type Message, type NewMessage } from "../core/message.ts";
import type { ResolvedAgent } from "../core/ports/agent-directory.ts";
import type { Conversation, ConversationMessage, Hub, RunRequest } from "../core/ports/hub.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { Store } from "../core/ports/store.ts";
import type { Answer, NewAnswer, Question } from "../core/question.ts";
import { isClientRun, isTerminal, RUN_STATUSES, type Run } from "../core/run.ts";
import { timeoutMs } from "../core/task.ts";
import type { Door, DoorState } from "./door.ts";
import type { Engine } from "./engine.ts";
import { forkPointsOf } from "./fork-points.ts";
import { readMessages } from "./read-talk.ts";
import { sealAnswer } from "./secrets.ts";

type Talking = Pick<
  Hub,
  "say" | "answer" | "messages" | "questions" | "conversation" | "forkPoints" | "tally"
>;

export interface Conversations extends Talking {
  /** Returns the request with its place in a conversation and in a tree. Throws where it cannot have that place. */
  place(request: RunRequest, agent: ResolvedAgent, nowMs: number): Promise<PlacedRequest>;
}

/** A request with the conversation and the tree that its run belongs to. */
export interface PlacedRequest extends RunRequest {
  root_id?: string;
}

const LIVE = RUN_STATUSES.filter((status) => !isTerminal(status));
/** Most runs and messages of a conversation that are shown. */
const MAX_RUNS_SHOWN = 500;
const MAX_MESSAGES_SHOWN = 2000;

export function createConversations(deps: {
  store: Store;
  engine: Engine;
  door: Door;
  sealer: Sealer;
  checkSchema?: CheckSchema;
}): Conversations {
  const { store, engine, door, sealer, checkSchema } = deps;

  async function existing(id: string): Promise<Run> {
    const run = await store.readRun(id);
    if (run) return run;
    throw runNotFound(id);
  }

  async function newestEnded(conversation: string): Promise<Run | undefined> {
    const { items } = await store.listRuns({ conversation, limit: 50 });
    return items.find(({ status }) => isTerminal(status));
  }

  async function followedBy({
    follows,
    conversation_id: conversation,
  }: RunRequest): Promise<Run | undefined> {
    if (follows === undefined) return conversation === undefined ? undefined : newestEnded(conversation);
    const run = await existing(follows);
    if (conversation !== undefined && conversation !== run.conversation_id) {
      const message = `run ${follows} belongs to conversation ${run.conversation_id}`;
      throw new ProctorError("INVALID_REQUEST", `conversation_id: ${message}`);
    }
    if (isTerminal(run.status)) return run;
    throw new ProctorError(
      "ILLEGAL_TRANSITION",
      `run ${follows} is ${run.status}: only an ended run can be followed`,
      {
        details: { run_id: follows, status: run.status },
      },
    );
  }

  async function refuseBusy(conversation: string): Promise<void> {
    const { items } = await store.listRuns({ conversation, status: LIVE, limit: 1 });
    const [busy] = items;
    if (busy === undefined) return;
    throw new ProctorError(
      "CONVERSATION_BUSY",
      `run ${busy.id} of conversation ${conversation} is ${busy.status}, and its agent takes one at a time`,
      { details: { run_id: busy.id, conversation_id: conversation } },
    );
  }

  /** Limits a part of a run's work to the time of the whole. */
  function withinParent(request: RunRequest, parent: Run, nowMs: number): RunRequest["constraints"] {
    const began = Date.parse(parent.started_at ?? new Date(nowMs).toISOString());
    const leftSeconds = Math.max(1, Math.floor((began + timeoutMs(parent.constraints) - nowMs) / 1000));
    const own = timeoutMs(request.constraints ?? {}) / 1000;
    return { ...request.constraints, timeout_seconds: Math.min(own, leftSeconds) };
  }

  async function underParent(request: RunRequest, nowMs: number): Promise<Partial<PlacedRequest>> {
    if (request.parent_id === undefined) return {};
    const parent = await existing(request.parent_id);
    if (isTerminal(parent.status)) throw runEnded(parent.id, parent.status);
    return { root_id: parent.root_id, constraints: withinParent(request, parent, nowMs) ?? {} };
  }

  async function say(id: string, given: NewMessage): Promise<Message> {
    const message = checkMessage(given);
    await door.decide(id, ({ run, spec, talk }) => {
      if (talk?.said.includes(message.id) === true) return [];
      if (isTerminal(run.status)) throw runEnded(id, run.status);
      if (isClientRun(run) || engine.talksOf(spec).says !== true) throw cannotHear(run);
      return [{ type: "message.added", payload: { message } }];
    });
    return message;
  }

  async function answer(id: string, given: NewAnswer): Promise<Run> {
    const after = (await answerOpenly(id, given)) ?? (await answerSecretly(id, given));
    // A parked run waits for a worker now.
    if (after.status === "queued") engine.wake();
    return after;
  }

  /** Decided in the moment of the write. Undefined when the answer holds credentials, which are sealed outside the log. */
  async function answerOpenly(id: string, given: NewAnswer): Promise<Run | undefined> {
    let isSecret = false;
    const after = await door.decide(id, (state) => {
      const answered = answerTo(state, given, checkSchema);
      isSecret = answered !== undefined && holdsCredentials(answered);
      return answered === undefined || isSecret ? [] : [answeredEvent(answered)];
    });
    return isSecret ? undefined : after;
  }

  async function answerSecretly(id: string, given: NewAnswer): Promise<Run> {
    return door.inTurn(id, async (write) => {
      const state = await door.secrets(id);
      const answered = answerTo(state, given, checkSchema);
      if (answered === undefined) return state.run;
      const { question, answer: checked } = answered;
      const sealed = sealing(id, state.sealed, question, checked);
      return write(id, [answeredEvent({ question, answer: hideAnswer(checked) })], { sealed });
    });
  }

  function sealing(id: string, sealed: string | null, question: Question, given: Answer): string {
    const after = sealAnswer(sealed, question.id, given, sealer);
    if (after !== undefined) return after;
    throw new ProctorError("STORE_UNAVAILABLE", `the secrets of run ${id} were sealed with another key`);
  }

  return {
    async place(request, agent, nowMs) {
      const { follows: _, conversation_id: asked, ...rest } = request;
      const followed = await followedBy(request);
      const conversation = followed?.conversation_id ?? asked;
      const talks = engine.talksOf(agent.spec);
      if (request.follows !== undefined && talks.follows !== true) throw cannotFollow(agent.label);
      if (knownUntil(request) !== undefined && talks.history !== true) throw cannotBeTold(agent.label);
      if (conversation !== undefined && talks.turns === "serial") await refuseBusy(conversation);
      const goesOn = followed && talks.follows === true ? { follows: followed.id } : {};
      return {
        ...rest,
        ...(conversation !== undefined && { conversation_id: conversation }),
        ...goesOn,
        ...(await underParent(request, nowMs)),
      };
    },
    say,
    answer,
    messages: async (id) => readMessages(store, await existing(id)),
    questions: (query) => store.openQuestions(query),
    async conversation(id) {
      const { items } = await store.listRuns({ conversation: id, limit: MAX_RUNS_SHOWN });
      if (items.length === 0)
        throw new ProctorError("CONVERSATION_NOT_FOUND", `there is no conversation ${id}`);
      const runs = items.toReversed();
      const messages: ConversationMessage[] = [];
      for (const run of runs) messages.push(...(await readMessages(store, run)));
      const cut = items.length === MAX_RUNS_SHOWN || messages.length > MAX_MESSAGES_SHOWN;
      return { id, runs, messages: messages.slice(-MAX_MESSAGES_SHOWN), cut } satisfies Conversation;
    },
    async forkPoints(id) {
      const run = await existing(id);
      const spec = (await store.readSecrets(id))?.spec;
      if (!isTerminal(run.status) || isClientRun(run) || spec === undefined) return [];
      return forkPointsOf(run, engine.talksOf(spec), await readMessages(store, run));
    },
    async tally(rootId) {
      await existing(rootId);
      return store.tally(rootId);
    },
  };
}

interface Answered {
  question: Question;
  answer: Answer;
}

/** Returns the checked answer and its question; undefined when the same answer was taken before. Throws where it is refused. */
function answerTo(
  { run, talk }: Pick<DoorState, "run" | "talk">,
  given: NewAnswer,
  checkSchema: CheckSchema | undefined,
): Answered | undefined {
  const { question_id: questionId, id } = given;
  const question = run.questions.find((open) => open.id === questionId);
  if (question) return { question, answer: checkAnswer(question, given, checkSchema) };
  const before = talk && Object.hasOwn(talk.closed, questionId) ? talk.closed[questionId] : undefined;
  if (before !== undefined && id !== undefined && before.answer_id === id) return undefined;
  if (before !== undefined) throw closedAlready(run.id, questionId, before.how);
  if (isTerminal(run.status)) throw runEnded(run.id, run.status);
  throw questionNotFound(run.id, questionId);
}

function holdsCredentials({ question, answer }: Answered): boolean {
  return question.kind === "auth" && answer.outcome === "given";
}

function answeredEvent({ question, answer }: Answered): EventDraft {
  return { type: "question.answered", payload: { id: question.id, answer } };
}

function checkMessage({ id = uuidV7(), parts, references, extensions }: NewMessage): Message {
  if (id === "" || id.length > MAX_ID_CHARS) throw invalid(`id: must have 1 to ${MAX_ID_CHARS} characters`);
  if (parts.length === 0) throw invalid("parts: must have at least one part");
  const message: Message = {
    id,
    role: "user",
    parts,
    ...(references && { references }),
    ...(extensions && { extensions }),
  };
  if (JSON.stringify(message).length <= MAX_MESSAGE_CHARS) return message;
  throw new ProctorError("PAYLOAD_TOO_LARGE", `a message has at most ${MAX_MESSAGE_CHARS} characters`);
}

/** Returns the answer as it is written down, without its content, which is a secret. */
function hideAnswer({ id, by, outcome, option }: Answer): Answer {
  return { id, by, outcome, ...(option !== undefined && { option }), data: MASK };
}

function invalid(message: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", message);
}

function cannotHear(run: Run): ProctorError {
  const next =
    run.questions.length > 0
      ? "It waits for an answer: answer its question."
      : "Wait for its end; a run that follows it can say more.";
  return new ProctorError("NOT_SUPPORTED", `nothing can be said to ${run.agent} while it works\n${next}`, {
    details: { run_id: run.id },
  });
}

function cannotBeTold(agent: string): ProctorError {
  const message = `${agent} cannot go on from the middle of a run: it keeps the conversation itself, or is not told what was said\nGo on from the end of a run, or with an agent that is sent the whole chat.`;
  return new ProctorError("NOT_SUPPORTED", message);
}

function cannotFollow(agent: string): ProctorError {
  const message = `${agent} cannot go on with a conversation: its protocol has no way to say what came before`;
  return new ProctorError("NOT_SUPPORTED", message);
}
