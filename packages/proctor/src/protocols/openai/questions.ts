// The questions that a model has asked and that nobody has answered yet.
import { randomUUID } from "node:crypto";
import { ProctorError } from "../../core/errors.ts";
import { textPart } from "../../core/message.ts";
import type { AgentReport } from "../../core/ports/driver.ts";
import type { Answer } from "../../core/question.ts";
import { unlessAborted } from "../../core/unless-aborted.ts";

export interface Questions {
  /** Asks, and returns the answer; undefined when the run was stopped before there was one. */
  ask(text: string, signal: AbortSignal): AsyncGenerator<AgentReport, Answer | undefined>;
  /** Passes on an answer at once, because the model's side of the conversation is kept here. */
  answer(questionId: string, answer: Answer): Promise<void>;
}

export function createQuestions(): Questions {
  const open = new Map<string, (answer: Answer) => void>();
  return {
    async *ask(text, signal) {
      const id = randomUUID();
      const answered = new Promise<Answer>((resolve) => open.set(id, resolve));
      try {
        yield { kind: "question", question: { id, kind: "input", parts: [textPart(text)] } };
        return await unlessAborted(answered, signal).catch(() => undefined);
      } finally {
        open.delete(id);
      }
    },
    answer(questionId, answer) {
      const settle = open.get(questionId);
      if (settle === undefined) {
        return Promise.reject(
          new ProctorError("QUESTION_NOT_FOUND", "the model does not ask this (any more)"),
        );
      }
      settle(answer);
      return Promise.resolve();
    },
  };
}
