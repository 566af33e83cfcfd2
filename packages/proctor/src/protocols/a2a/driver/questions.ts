// The question that an interrupted task is: it waits for input, or for authorisation (A2A 1.0, sections 3.4.3 and 7.6). One at a time,
// numbered in the order in which the run asked them, so that whoever goes on with the task knows which one is open.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { textPart } from "../../../core/message.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import type { QuestionKind } from "../../../core/question.ts";
import type { TaskStatus } from "../model.ts";
import { fingerprint } from "./heard.ts";
import { decodeMessage } from "./messages.ts";

/** State of the questions that is kept in the continuation. */
export interface QuestionState extends JsonObject {
  /** Number of questions that were asked. */
  asked: number;
  /** Fingerprint of the status that asks, or asked last. */
  status?: string;
  /** Fingerprint of that status without its message, which agents move into the history once it is answered. */
  moment?: string;
  /** True when the last question has its answer, or was withdrawn. */
  closed?: boolean;
  /** True when the agent has the answer to the last question. */
  answered?: boolean;
}

export interface Questions {
  /** Reports that the task is interrupted. With `isEvent` the agent has just said so; otherwise the task was found in this state. */
  ask(status: TaskStatus, isEvent: boolean): AgentReport[];
  /** Reports that the task goes on: the open question is withdrawn, unless it was answered. */
  goOn(): AgentReport[];
  /** Id of the question that waits for an answer. */
  readonly open: string | undefined;
  /** Returns whether the agent has the answer to this question, which is the last. */
  isAnswered(id: string): boolean;
  /** Called when the agent has the answer. */
  answered(): void;
  state(): QuestionState;
}

const KINDS: Readonly<Record<string, QuestionKind>> = {
  TASK_STATE_INPUT_REQUIRED: "input",
  TASK_STATE_AUTH_REQUIRED: "auth",
};

/** With `isPending` an answer is on its way, so that a question of an earlier session is not asked again. */
export function createQuestions(taskId: () => string, before?: Json, isPending = false): Questions {
  let { asked, status: last, moment: lastMoment, closed = true, answered = false } = restored(before);
  let isQuiet = isPending;

  const idOf = (number: number): string => `${taskId()}/${number}`;

  return {
    ask(status, isEvent) {
      const { message, ...bare } = { ...status, metadata: undefined };
      const key = fingerprint({ ...status, metadata: undefined });
      const moment = fingerprint(bare);
      const isSame = key === last || (message === undefined && moment === lastMoment);
      // An answered status stays until the agent has looked at the answer; when the agent repeats it as an event, it asks again.
      if (isSame && closed && !isEvent) return [];
      if (isSame && !closed && isQuiet) return [];
      if (!isSame || closed) {
        asked += 1;
        last = key;
        lastMoment = moment;
        closed = false;
        answered = false;
        isQuiet = false;
      }
      return questionReports(idOf(asked), status);
    },
    goOn() {
      if (closed || asked === 0) return [];
      closed = true;
      return [{ kind: "withdrawn", questionId: idOf(asked), reason: "the agent went on by itself" }];
    },
    get open() {
      return closed || asked === 0 ? undefined : idOf(asked);
    },
    isAnswered: (id) => answered && id === idOf(asked),
    answered() {
      closed = true;
      answered = true;
    },
    state: () => ({
      asked,
      ...(last !== undefined && { status: last }),
      ...(lastMoment !== undefined && { moment: lastMoment }),
      closed,
      answered,
    }),
  };
}

function questionReports(id: string, status: TaskStatus): AgentReport[] {
  const kind = KINDS[status.state] ?? "input";
  const said = status.message && decodeMessage(status.message);
  const parts = said?.message.parts ?? [];
  const shown = parts.length > 0 ? parts : [textPart(SILENT[kind] ?? "")];
  return [
    ...(said?.others ?? []),
    ...(said?.files ?? []),
    { kind: "question", question: { id, kind, parts: shown } },
  ];
}

/** Text of a question without words. */
const SILENT: Partial<Record<QuestionKind, string>> = {
  input: "the agent needs input, and did not say which",
  auth: "the agent needs authorisation, and did not say for what",
};

function restored(before: Json | undefined): QuestionState {
  if (!isJsonObject(before)) return { asked: 0 };
  const { asked, status, moment, closed, answered } = before;
  return {
    asked: typeof asked === "number" ? asked : 0,
    ...(typeof status === "string" && { status }),
    ...(typeof moment === "string" && { moment }),
    ...(typeof closed === "boolean" && { closed }),
    ...(typeof answered === "boolean" && { answered }),
  };
}
