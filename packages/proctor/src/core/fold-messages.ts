// What was said in a run, from its log. The task counts as the first thing said, and the result of an agent that says nothing as the last.
import { answerOf } from "./answer.ts";
import type { RunEvent } from "./event.ts";
import { textPart, type Message, type Part } from "./message.ts";
import type { ConversationMessage } from "./ports/hub.ts";
import { isTerminal, type Run } from "./run.ts";

interface Growing {
  id: string;
  texts: string[];
}

export interface MessageFold {
  add(event: RunEvent): void;
  /** Returns everything said so far; `run` is the run after the events. */
  messages(run: Run): ConversationMessage[];
}

export function createMessageFold(runId: string): MessageFold {
  const said: ConversationMessage[] = [];
  const growing = new Map<string, Growing>();
  let began = false;
  let hasFirst = false;

  function push(message: Message, sequence: number | null): void {
    said.push({ run_id: runId, sequence, message });
  }

  return {
    add(event) {
      switch (event.type) {
        case "run.started":
          began = true;
          break;
        case "message.added":
          hasFirst ||= !began && event.payload.message.role === "user";
          push(event.payload.message, event.sequence);
          break;
        case "message.opened":
          growing.set(event.payload.id, { id: event.payload.id, texts: [] });
          break;
        case "message.extended": {
          const { id, part, text } = event.payload;
          const texts = growing.get(id)?.texts ?? [];
          texts[part] = (texts[part] ?? "") + text;
          break;
        }
        case "message.closed": {
          const { id, parts } = event.payload;
          push(spoken(id, growing.get(id)?.texts ?? [], parts), event.sequence);
          growing.delete(id);
          break;
        }
        default:
      }
    },
    messages(run) {
      const first = hasFirst ? [] : [{ run_id: runId, sequence: null, message: taskMessage(run) }];
      const unfinished = [...growing.values()].map(({ id, texts }) => ({
        run_id: runId,
        sequence: null,
        message: spoken(id, texts, []),
      }));
      const all = [...first, ...said, ...unfinished];
      const answered = all.some(({ message }) => message.role === "agent");
      const result = answered || !isTerminal(run.status) ? undefined : resultMessage(run);
      return result ? [...all, { run_id: runId, sequence: null, message: result }] : all;
    },
  };
}

function spoken(id: string, texts: readonly (string | undefined)[], others: readonly Part[]): Message {
  const parts = Array.from(texts, (text) => textPart(text ?? ""));
  return { id, role: "agent", parts: [...parts, ...others] };
}

function taskMessage({ id, task }: Run): Message {
  const data: Part[] = task.input_data === undefined ? [] : [{ kind: "data", data: task.input_data }];
  return { id: `${id}:task`, role: "user", parts: [textPart(task.description), ...data] };
}

/** Returns the id of the message that stands for the result of an agent that says nothing. */
export function resultId({ id }: Pick<Run, "id">): string {
  return `${id}:result`;
}

function resultMessage(run: Run): Message | undefined {
  const answer = answerOf(run);
  if (answer === undefined) return undefined;
  const part: Part = typeof answer === "string" ? textPart(answer) : { kind: "data", data: answer };
  return { id: resultId(run), role: "agent", parts: [part] };
}
