// Which questions clients of this surface have been shown. A question is answered to a request once, at once; whoever asks again without
// an answer waits. Only a convenience, so it is kept in memory: after a restart a question is shown once more.
import type { Question } from "../../../../core/question.ts";
import type { Run } from "../../../../core/run.ts";

export interface ShownQuestions {
  has(run: Run, question: Question): boolean;
  add(run: Run, question: Question): void;
}

const MAX_QUESTIONS = 10_000;

export function createShownQuestions(): ShownQuestions {
  const shown = new Set<string>();
  const key = ({ id }: Run, question: Question): string => `${id} ${question.id}`;
  return {
    has: (run, question) => shown.has(key(run, question)),
    add(run, question) {
      shown.add(key(run, question));
      const [oldest] = shown;
      if (shown.size > MAX_QUESTIONS && oldest !== undefined) shown.delete(oldest);
    },
  };
}
