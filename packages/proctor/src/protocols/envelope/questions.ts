// The questions that an agent has asked in one run, and how their answers reach it.
import { ProctorError } from "../../core/errors.ts";
import type { Answer, NewQuestion, QuestionKind } from "../../core/question.ts";

type Bring = (questionId: string, answer: Answer, kind: QuestionKind) => Promise<void>;

export interface Questions {
  open(question: Pick<NewQuestion, "id" | "kind">): void;
  /** Returns whether the agent has asked something, and may be silent until it is answered. */
  isWaited(): boolean;
  /** Sets how answers are delivered: the session exists before the agent is reached. */
  connect(bring: Bring): void;
  /** Resolves when the agent has the answer. */
  answer(questionId: string, answer: Answer): Promise<void>;
}

export function createQuestions(): Questions {
  const asked = new Map<string, QuestionKind>();
  let bring: Bring | undefined;
  return {
    open: ({ id, kind }) => void asked.set(id, kind),
    isWaited: () => asked.size > 0,
    connect: (how) => void (bring = how),
    async answer(questionId, answer) {
      const kind = asked.get(questionId);
      if (bring === undefined || kind === undefined)
        throw new ProctorError("QUESTION_NOT_FOUND", "the agent does not ask this (any more)");
      asked.delete(questionId);
      await bring(questionId, answer, kind);
    },
  };
}
