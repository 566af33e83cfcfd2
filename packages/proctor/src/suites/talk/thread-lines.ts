// The log of a run as lines of a conversation: what was said, asked and answered, in order.
import type { RunEvent } from "../../core/event.ts";
import { createMessageFold } from "../../core/fold-messages.ts";
import { textOf } from "../../core/message.ts";
import type { Answer, Question } from "../../core/question.ts";
import type { Run } from "../../core/run.ts";
import type { ThreadLine } from "../thread.ts";

export async function threadLines(run: Run, events: AsyncIterable<RunEvent>): Promise<ThreadLine[]> {
  const fold = createMessageFold(run.id);
  const questions = new Map<string, Question>();
  const talked: { sequence: number; line: ThreadLine }[] = [];
  const add = (sequence: number, line: ThreadLine): void => void talked.push({ sequence, line });
  for await (const event of events) {
    fold.add(event);
    const { sequence } = event;
    switch (event.type) {
      case "question.asked": {
        const { question } = event.payload;
        questions.set(question.id, question);
        add(sequence, { who: "agent", what: "asks", kind: question.kind, text: questionText(question) });
        break;
      }
      case "question.answered": {
        const { id, answer } = event.payload;
        const what = answer.outcome === "declined" ? "declines" : "answers";
        add(sequence, { who: "user", what, text: answerText(answer, questions.get(id)) });
        break;
      }
      case "question.withdrawn":
        add(sequence, { who: "agent", what: "withdraws", text: event.payload.reason });
        break;
      default:
    }
  }
  const said = fold.messages(run);
  for (const [index, { message, sequence }] of said.entries()) {
    const line: ThreadLine = { who: message.role, what: "says", text: textOf(message.parts) };
    // What stands in the task came before everything, what stands in the result after it.
    add(sequence ?? (index === 0 && message.role === "user" ? -1 : Infinity), line);
  }
  return talked
    .toSorted((one, other) => (one.sequence < other.sequence ? -1 : one.sequence > other.sequence ? 1 : 0))
    .map(({ line }) => line);
}

function questionText({ parts, options = [], subject }: Question): string {
  const about = subject === undefined ? "" : ` ${JSON.stringify(subject)}`;
  const choices = options.length === 0 ? "" : ` [${options.map(({ name }) => name).join(" | ")}]`;
  return `${textOf(parts)}${about}${choices}`.trim();
}

function answerText({ option, parts = [], data }: Answer, question: Question | undefined): string {
  const named = question?.options?.find(({ id }) => id === option)?.name ?? option;
  const said = [
    ...(named === undefined ? [] : [named]),
    ...(parts.length === 0 ? [] : [textOf(parts)]),
    ...(data === undefined ? [] : [JSON.stringify(data)]),
  ];
  return said.join("\n");
}

/** One line of a transcript: `user: Hello`, `agent asks (input): Which one?`. */
export function lineText({ who, what, kind, text }: ThreadLine): string {
  const verb = what === "says" ? "" : ` ${what}`;
  const about = kind === undefined ? "" : ` (${kind})`;
  return text === "" ? `${who}${verb}${about}` : `${who}${verb}${about}: ${text}`;
}
