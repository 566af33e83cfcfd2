// Brings one letter to a task: beside the stream of a task that is at work, or as what a task waits for. At least once under its id, and
// only after looking whether the agent has it where that is in doubt.
import { messageOf } from "../../../core/message-of.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import { isBroken } from "../client/transport-failure.ts";
import type { A2aMessage, A2aTask, SendRequest, SendResult } from "../model.ts";
import { isInterruptedState } from "../states.ts";
import type { Letter, Posted } from "./letters.ts";
import type { Line, Reached } from "./line.ts";
import { messageKey } from "./same-message.ts";
import type { SessionLog } from "./session-log.ts";
import type { TaskReader } from "./task-reader.ts";

export interface DeliveryDeps {
  reader: TaskReader;
  line: Line;
  session: SessionLog;
  encode: (letter: Letter, taskId: string) => SendRequest;
  /** Number of letters that an earlier session posted. */
  pending: number;
  hasSource: () => boolean;
  /** Called when the agent has answered a message that was sent in parallel to its stream. */
  onAside: (result: SendResult) => void;
}

/** Delivers a letter and returns what it led to; undefined when there is nothing to follow. */
export type Deliver = (posted: Posted, taskId: string) => AsyncGenerator<AgentReport, Reached | undefined>;

const MAX_TRIES = 3;

export function createDelivery(deps: DeliveryDeps): Deliver {
  const { reader, line, session, encode } = deps;

  return async function* deliver({ letter, sent, failed }, taskId) {
    const isAnswer = letter.kind === "answer";
    const request = encode(letter, taskId);
    // It was sent before a process died, and the log could not note it.
    const isSent =
      reader.hasFromUs(request.message) || (isAnswer && reader.questions.isAnswered(letter.questionId));
    if (deps.pending > 0 && isSent) {
      if (isAnswer) reader.questions.answered();
      sent();
      return undefined;
    }
    if (isAnswer && letter.questionId !== reader.questions.open) {
      failed(new Error("the agent does not ask this any more"));
      return undefined;
    }
    if (reader.questions.open === undefined && deps.hasSource()) {
      // Not waited for: a server may answer only when the task has ended.
      line.aside(request).then(
        (result) => {
          sent();
          deps.onAside(result);
        },
        (error: unknown) => failed(new Error(messageOf(error))),
      );
      return undefined;
    }
    const { reached, isThere } = await bring(request, taskId);
    if (isThere) {
      if (isAnswer) reader.questions.answered();
      try {
        // First what a process that takes over must know, then what the log says.
        yield* session.save();
      } finally {
        sent();
      }
      return reached;
    }
    failed(new Error(reached.kind === "failed" ? reached.failure.message : "the task went on without it"));
    // The client was told that the answer counts: a run that cannot deliver it has failed.
    return isAnswer || reached.kind !== "failed" ? reached : undefined;
  };

  async function bring(
    request: SendRequest,
    taskId: string,
  ): Promise<{ reached: Reached; isThere: boolean }> {
    for (let tries = 1; ; tries++) {
      const reached = await line.send(request);
      if (reached.kind !== "failed") return { reached, isThere: true };
      const looked = await line.look(taskId);
      const task = looked.kind === "result" ? looked.result.task : undefined;
      const isThere = task !== undefined && hasMessage(task, request.message);
      if (isThere) return { reached: looked, isThere };
      if (task !== undefined && !isInterruptedState(task.status.state)) return { reached: looked, isThere };
      if (!isBroken(reached.error) || tries === MAX_TRIES) return { reached, isThere };
    }
  }
}

function hasMessage({ history = [] }: A2aTask, message: A2aMessage): boolean {
  return history.some((each) => messageKey(each) === messageKey(message));
}
