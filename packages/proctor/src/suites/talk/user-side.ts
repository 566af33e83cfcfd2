// The player of a conversation's user: a script, or a language model.
import type { Failure } from "../../core/failure.ts";
import type { NewAnswer, Question } from "../../core/question.ts";
import type { Thread, ThreadEnd } from "../thread.ts";

export interface UserSide {
  /** What the user says next. `heard` is what the agent has said since the user spoke last. */
  next(heard: string, signal: AbortSignal): Promise<Utterance | Stop | Over>;
  /** Answers a question. `refused` says why the hub did not take the answer before. */
  answer(asked: Asked, signal: AbortSignal): Promise<Reply | Stop>;
  /** What is worth a note in reports, one sentence each. */
  notes(): string[];
  /** What playing the user has cost so far; undefined where it costs nothing. */
  used(): Thread["simulator"];
}

export interface Asked {
  question: Question;
  heard: string;
  refused?: string;
}

export interface Utterance {
  kind: "say";
  say: string;
  /** Whether nothing is said after it, as far as that is known. */
  last?: boolean;
}

/** The proper end of a conversation. */
export interface Over {
  kind: "over";
  ended: ThreadEnd;
}

/** The reason why a conversation cannot go on. */
export interface Stop {
  kind: "stop";
  ended: ThreadEnd;
  outcome: "fail" | "unevaluated";
  reason: string;
  failure?: Failure;
}

export type Reply = { kind: "answer" } & Pick<NewAnswer, "outcome" | "option" | "parts" | "data">;

/** The user's side failed: that says nothing about the agent. */
export function simulatorFailed(reason: string): Stop {
  const failure: Failure = { code: "SIMULATOR_FAILED", message: reason };
  return {
    kind: "stop",
    ended: "simulator",
    outcome: "unevaluated",
    reason: `SIMULATOR_FAILED: ${reason}`,
    failure,
  };
}
