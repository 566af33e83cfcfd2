// What was said in a run, and the history of its task: there, a question that was answered and its answer are messages as well. Credentials
// are none.
import type { RunEvent } from "../../../core/event.ts";
import { createMessageFold } from "../../../core/fold-messages.ts";
import { textPart, type Message, type Part } from "../../../core/message.ts";
import type { ConversationMessage } from "../../../core/ports/hub.ts";
import type { Answer, Question } from "../../../core/question.ts";
import type { Run } from "../../../core/run.ts";

/** Everything that was said so far in a run. */
export interface Said {
  messages: ConversationMessage[];
  /** The messages together with questions and answers. */
  history: ConversationMessage[];
}

export interface HistoryFold {
  add(event: RunEvent): void;
  /** Returns what was said; `run` is the run after the events. */
  said(run: Run): Said;
}

/** Types of the events that change the history. */
export const HISTORY_EVENTS = /^(?:message\.|question\.(?:asked|answered)$|run\.started$)/;

export function createHistoryFold(runId: string): HistoryFold {
  const fold = createMessageFold(runId);
  const asked = new Map<string, { question: Question; sequence: number }>();
  const talk: (ConversationMessage & { sequence: number })[] = [];

  return {
    add(event) {
      fold.add(event);
      const { sequence } = event;
      if (event.type === "question.asked") {
        const { question } = event.payload;
        asked.set(question.id, { question, sequence });
      }
      if (event.type !== "question.answered") return;
      const { id, answer } = event.payload;
      const known = asked.get(id);
      asked.delete(id);
      if (known === undefined || answer.by.kind === "policy") return;
      const question = questionSaid(runId, known.question);
      talk.push({ run_id: runId, sequence: known.sequence, message: question });
      if (known.question.kind !== "auth") talk.push({ run_id: runId, sequence, message: answerSaid(answer) });
    },
    said(run) {
      const messages = fold.messages(run);
      return { messages, history: talk.length === 0 ? messages : merged(messages, talk) };
    },
  };
}

/** Merges in the order of the log. What has no place in it is the task at the beginning, and what is unfinished at the end. */
function merged(
  messages: readonly ConversationMessage[],
  talk: readonly (ConversationMessage & { sequence: number })[],
): ConversationMessage[] {
  const all = [...messages];
  for (const each of talk) {
    const at = all.findIndex(({ sequence }, index) =>
      sequence === null ? index > 0 : sequence > each.sequence,
    );
    all.splice(at === -1 ? all.length : at, 0, each);
  }
  return all;
}

function questionSaid(runId: string, { id, parts }: Question): Message {
  return { id: `${runId}:question:${id}`, role: "agent", parts };
}

function answerSaid({ id, outcome, option, parts, data }: Answer): Message {
  const words: Part[] = [
    ...(parts ?? []),
    ...(option === undefined ? [] : [textPart(option)]),
    ...(data === undefined ? [] : [{ kind: "data" as const, data }]),
  ];
  return { id, role: "user", parts: words.length > 0 ? words : [textPart(outcome)] };
}
