// The questions that an agent asked, by its log.
import { textOf } from "../../core/message.ts";
import { quote } from "../../core/printable.ts";
import type { Question } from "../../core/question.ts";
import type { CheckSubject } from "../check.ts";
import { andMore } from "../texts/words.ts";

export async function questionsIn(subject: CheckSubject): Promise<Question[]> {
  const found: Question[] = [];
  for await (const event of subject.events()) {
    if (event.type === "question.asked") found.push(event.payload.question);
  }
  return found;
}

/** Returns the questions that were asked instead, for messages. */
export function listQuestions(questions: readonly Question[]): string {
  const [first] = questions;
  if (!first) return "the agent asked nothing";
  return `the agent asked (${first.kind}): ${quote(textOf(first.parts), 200)}${andMore(questions.length)}`;
}
