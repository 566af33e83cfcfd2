// Looks into logs for what was said: what waits for an agent, answers to an earlier attempt, and what a conversation holds.
import type { RunEvent } from "../core/event.ts";
import { createMessageFold } from "../core/fold-messages.ts";
import { knownUntil } from "../core/fork.ts";
import { deny, expiredAnswer } from "../core/policy.ts";
import type { Message } from "../core/message.ts";
import type { ConversationMessage } from "../core/ports/hub.ts";
import { decodeRecord, type Store } from "../core/ports/store.ts";
import type { Answer, Question } from "../core/question.ts";
import type { Run } from "../core/run.ts";

type LogStore = Pick<Store, "readEvents" | "readRun">;

const PAGE = 500;
/** Most runs that a history goes back, and most characters that it has. */
const MAX_TURNS = 200;
const MAX_HISTORY_CHARS = 4 * 1024 * 1024;

/** Something that waits for the agent, as its log has it. */
export interface Pending {
  kind: "message" | "answer";
  id: string;
  bring: { kind: "message"; message: Message } | { kind: "answer"; question: Question; answer: Answer };
}

async function* readAll(store: LogStore, runId: string, types: RegExp): AsyncGenerator<RunEvent> {
  for (let after = -1; ;) {
    const page = await store.readEvents(runId, after, PAGE);
    for (const record of page) if (types.test(record.type)) yield decodeRecord(record);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.sequence;
  }
}

/** Resolves with what waits for the agent, in the order of `undelivered`. */
export async function readPending(
  store: LogStore,
  runId: string,
  undelivered: readonly { kind: "message" | "answer"; id: string }[],
): Promise<Pending[]> {
  const messages = new Map<string, Message>();
  const questions = new Map<string, Question>();
  const answers = new Map<string, Answer>();
  for await (const event of readAll(store, runId, /^(message\.added|question\.)/)) {
    if (event.type === "message.added") messages.set(event.payload.message.id, event.payload.message);
    if (event.type === "question.asked") questions.set(event.payload.question.id, event.payload.question);
    if (event.type === "question.answered") answers.set(event.payload.id, event.payload.answer);
    if (event.type === "question.expired") {
      const { id, answer } = event.payload;
      const question = questions.get(id);
      if (question && !answers.has(id)) answers.set(id, answer ?? expiredAnswer(id, deny(question)));
    }
  }
  return undelivered.flatMap(({ kind, id }): Pending[] => {
    const message = messages.get(id);
    if (kind === "message") return message ? [{ kind, id, bring: { kind, message } }] : [];
    const [question, answer] = [questions.get(id), answers.get(id)];
    return question && answer ? [{ kind, id, bring: { kind, question, answer } }] : [];
  });
}

/** Resolves with an answer that the failed attempt before this one got for the same subject, and that never reached its agent. */
export async function findEarlierAnswer(
  store: LogStore,
  run: Run,
  hash: string,
): Promise<Answer | undefined> {
  if (run.retry_of === null) return undefined;
  const asked = new Set<string>();
  const answers = new Map<string, Answer>();
  for await (const event of readAll(store, run.retry_of, /^question\./)) {
    if (event.type === "question.asked" && event.payload.question.subject_hash === hash) {
      asked.add(event.payload.question.id);
    }
    if (event.type === "question.answered" && asked.has(event.payload.id)) {
      answers.set(event.payload.id, event.payload.answer);
    }
    if (event.type === "question.delivered") answers.delete(event.payload.id);
  }
  return [...answers.values()].at(-1);
}

export async function readMessages(store: LogStore, run: Run): Promise<ConversationMessage[]> {
  const fold = createMessageFold(run.id);
  for await (const event of readAll(store, run.id, /^(message\.|run\.started)/)) fold.add(event);
  return fold.messages(run);
}

/** Resolves with what was said in the runs that this one follows, oldest first. */
export async function readHistory(store: LogStore, run: Run): Promise<Message[]> {
  const history: Message[] = [];
  let chars = 0;
  let later = run;
  for (let turns = 0; later.follows !== null && turns < MAX_TURNS; turns++) {
    const earlier = await store.readRun(later.follows);
    if (earlier === undefined) break;
    const until = knownUntil(later);
    const said = upTo(await readMessages(store, earlier), until).map(({ message }) => message);
    chars += JSON.stringify(said).length;
    if (chars > MAX_HISTORY_CHARS) break;
    history.unshift(...said);
    later = earlier;
  }
  return history;
}

/** Leaves out what was said after a fork's point. The task, which has no sequence, is what a run begins with. */
function upTo(said: ConversationMessage[], until: number | undefined): ConversationMessage[] {
  if (until === undefined) return said;
  const last = said.findLastIndex(({ sequence }) => sequence !== null && sequence <= until);
  return said.slice(0, last + 1);
}
