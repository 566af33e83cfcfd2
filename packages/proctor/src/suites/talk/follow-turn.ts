// One turn of a conversation, to its end: the player of the user answers what the agent asks on the way.
import { ProctorError } from "../../core/errors.ts";
import type { RunEvent } from "../../core/event.ts";
import { createMessageFold } from "../../core/fold-messages.ts";
import { textOf } from "../../core/message.ts";
import { messageOf } from "../../core/message-of.ts";
import type { Hub } from "../../core/ports/hub.ts";
import { MAX_QUESTIONS, type Question } from "../../core/question.ts";
import type { Run } from "../../core/run.ts";
import { waitForEnd, type EndedRun } from "../run/wait-for-end.ts";
import type { Stop, UserSide } from "./user-side.ts";
import { createWorkTime } from "./work-time.ts";

export interface PlayedTurn extends EndedRun {
  workedMs: number;
}

export interface FollowedTurn extends PlayedTurn {
  /** What the agent said since it was answered last. */
  heard: string;
  /** Why the conversation cannot go on. */
  stop?: Stop;
}

/** Number of answers to one question that the hub may refuse. */
const TRIES = 3;
/** The agent did not wait for an answer. */
const TOO_LATE: ReadonlySet<string> = new Set(["ANSWERED_ALREADY", "RUN_ENDED", "QUESTION_NOT_FOUND"]);

export async function followTurn(
  submitted: Run,
  user: UserSide,
  deps: { hub: Hub; signal: AbortSignal },
): Promise<FollowedTurn> {
  const { hub, signal } = deps;
  const fold = createMessageFold(submitted.id);
  const worked = createWorkTime();
  const shown = new Set<string>();
  let stop: Stop | undefined;
  let asked = 0;

  /** What the agent has said and the user has not heard. */
  function hear(run: Run): string {
    const said = fold
      .messages(run)
      .filter(({ message }) => message.role === "agent" && !shown.has(message.id));
    for (const { message } of said) shown.add(message.id);
    return said.map(({ message }) => textOf(message.parts)).join("\n\n");
  }

  async function reply(question: Question): Promise<Stop | undefined> {
    asked += 1;
    if (asked > MAX_QUESTIONS) return endless();
    const heard = hear(submitted);
    let refused: string | undefined;
    for (let tries = 0; tries < TRIES; tries++) {
      const given = await user.answer({ question, heard, ...(refused !== undefined && { refused }) }, signal);
      if (given.kind === "stop") return given;
      const { kind: _, ...answer } = given;
      try {
        await hub.answer(submitted.id, { question_id: question.id, by: { kind: "simulator" }, ...answer });
        return undefined;
      } catch (error) {
        if (!ProctorError.is(error)) throw error;
        if (TOO_LATE.has(error.code)) return undefined;
        if (error.code !== "INVALID_REQUEST" && error.code !== "PAYLOAD_TOO_LARGE") throw error;
        refused = messageOf(error);
      }
    }
    // The player of the user gives up before this.
    throw new Error(`no answer to question ${question.id} was taken: ${refused}`);
  }

  async function act(event: RunEvent): Promise<void> {
    fold.add(event);
    worked.add(event);
    if (event.type !== "question.asked" || event.payload.question.audience !== "simulator" || stop) return;
    stop = await reply(event.payload.question);
    // It may have ended meanwhile; either way it is followed to its end.
    if (stop) await hub.cancel(submitted.id, stop.reason).catch(() => undefined);
  }

  const ended = await waitForEnd(submitted.id, deps, act);
  return { ...ended, workedMs: worked.ms, heard: hear(ended.run), ...(stop && { stop }) };
}

function endless(): Stop {
  const message = `the agent asked more than ${MAX_QUESTIONS} questions in one turn`;
  const failure = { code: "NO_ANSWER", message };
  return { kind: "stop", ended: "question", outcome: "fail", reason: `NO_ANSWER: ${message}`, failure };
}
