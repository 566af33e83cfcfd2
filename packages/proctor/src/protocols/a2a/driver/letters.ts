// What clients say and answer on its way to the agent. It waits here until the session can send it.
import type { Message } from "../../../core/message.ts";
import type { Answer } from "../../../core/question.ts";

export type Letter =
  | { kind: "say"; message: Message }
  | { kind: "answer"; questionId: string; answer: Answer };

export interface Posted {
  letter: Letter;
  /** Called when the agent has the letter. */
  sent: () => void;
  failed: (error: unknown) => void;
}

export interface Letters {
  /** Resolves when the agent has the letter, and rejects when it cannot have it. */
  post(letter: Letter): Promise<void>;
  /** Returns the oldest letter that waits. */
  next(): Posted | undefined;
  readonly waiting: boolean;
  /** Number of letters that were ever posted. */
  readonly posted: number;
  /** Called when a letter is posted. */
  onPost: () => void;
  /** Rejects the letters that wait and all later ones. */
  close(why: string): void;
}

export function createLetters(): Letters {
  const waiting: Posted[] = [];
  let posted = 0;
  let closed: string | undefined;
  const letters: Letters = {
    onPost: () => undefined,
    post(letter) {
      if (closed !== undefined) return Promise.reject(new Error(closed));
      return new Promise((sent, failed) => {
        posted += 1;
        waiting.push({ letter, sent, failed });
        letters.onPost();
      });
    },
    next: () => waiting.shift(),
    get waiting() {
      return waiting.length > 0;
    },
    get posted() {
      return posted;
    },
    close(why) {
      closed ??= why;
      for (const { failed } of waiting.splice(0)) failed(new Error(why));
    },
  };
  return letters;
}
