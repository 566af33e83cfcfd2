// A question of an agent that speaks envelopes: a request with the action `ask`, in reply to its task. The answer is a response to that
// envelope. Document 004 has no word for either.
import { HUB, type Envelope } from "../../core/envelope.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { textOf, textPart, type Part } from "../../core/message.ts";
import type { AgentReport } from "../../core/ports/driver.ts";
import {
  QUESTION_KINDS,
  type Answer,
  type NewQuestion,
  type QuestionKind,
  type QuestionOption,
} from "../../core/question.ts";
import { violationReport } from "../reports.ts";

const ASK = "ask";
const EFFECTS: ReadonlySet<Json | undefined> = new Set(["allow", "deny", "other"]);

export function isAsking({ type, action }: Pick<Envelope, "type" | "action">): boolean {
  return type === "request" && action === ASK;
}

/** Returns the question, or what is wrong with it: a question without an id could not be answered. */
export function decodeAsk({ id, payload }: Envelope): AgentReport {
  if (id === "") {
    const message = "a question needs an id, which its answer names";
    return violationReport({ rule: "envelope.ask", message, owner: "proctor" });
  }
  const said: JsonObject = isJsonObject(payload) ? payload : { text: payload };
  const { schema, subject, expires_at: expiresAt } = said;
  const options = Array.isArray(said["options"]) ? said["options"].flatMap(decodeOption) : [];
  const question: NewQuestion = {
    id,
    kind: kindOf(said),
    parts: partsOf(said),
    ...(isJsonObject(schema) && { schema }),
    ...(options.length > 0 && { options }),
    ...(isJsonObject(subject) && { subject }),
    ...(typeof expiresAt === "string" && { expires_at: expiresAt }),
  };
  return { kind: "question", question };
}

/** Returns the content of the answer, for agents that look for a text and for those that look for data. */
function encodeAnswer({ outcome, option, parts, data }: Answer): JsonObject {
  return {
    outcome,
    ...(option !== undefined && { option }),
    ...(parts !== undefined && { text: textOf(parts), parts }),
    ...(data !== undefined && { data }),
  };
}

interface AnswerNames {
  id: string;
  questionId: string;
  spanId: string;
  nowMs: number;
}

/** `task` is the envelope that asked the agent to work. */
export function answerEnvelope(task: Envelope, answer: Answer, names: AnswerNames): Envelope {
  const { to, trace, hops } = task;
  return {
    id: names.id,
    from: HUB,
    to,
    type: "response",
    action: ASK,
    payload: encodeAnswer(answer),
    inReplyTo: names.questionId,
    trace: { traceId: trace.traceId, spanId: names.spanId, parentId: trace.spanId },
    timestamp: names.nowMs,
    ...(hops !== undefined && { hops }),
  };
}

function kindOf({ kind, schema }: JsonObject): QuestionKind {
  const known = QUESTION_KINDS.find((each) => each === kind);
  return known ?? (isJsonObject(schema) ? "form" : "input");
}

function partsOf({ text, message, question, data }: JsonObject): Part[] {
  const said = [text, message, question].find((each) => typeof each === "string" && each !== "");
  return [
    ...(typeof said === "string" ? [textPart(said)] : []),
    ...(data === undefined ? [] : [{ kind: "data" as const, data }]),
  ];
}

/** Decodes an option; a text is its id and name. */
function decodeOption(option: Json): QuestionOption[] {
  if (typeof option === "string") return [{ id: option, name: option, effect: "other" }];
  if (!isJsonObject(option) || typeof option["id"] !== "string") return [];
  const { id, name, effect } = option;
  return [
    {
      id,
      name: typeof name === "string" ? name : id,
      // It is one of the three.
      effect: EFFECTS.has(effect) ? (effect as QuestionOption["effect"]) : "other",
    },
  ];
}
