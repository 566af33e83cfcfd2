// What a request for a step says to an agent: the answer to a question, or a message. What can be neither is not used, and the client is
// told so.
import { ProctorError, type ErrorCode } from "../../../../core/errors.ts";
import type { JsonObject } from "../../../../core/json.ts";
import { MAX_ID_CHARS, textPart, type NewMessage } from "../../../../core/message.ts";
import { parseJson } from "../../../../core/parse-json.ts";
import type { NewAnswer, Question } from "../../../../core/question.ts";
import { isTerminal, type Run } from "../../../../core/run.ts";
import { wrongField } from "../shared/read-fields.ts";
import type { Official } from "./context.ts";
import type { AskedStep } from "./next-step.ts";

export type Heard =
  | { kind: "used" }
  /** `why` says why the agent did not get it. */
  | { kind: "unused"; why: string };

const USED: Heard = { kind: "used" };

/** Throws the error that refuses an answer: INVALID_REQUEST, QUESTION_NOT_FOUND, ANSWERED_ALREADY, FORBIDDEN, RUN_ENDED. */
export async function hear(official: Official, asked: AskedStep, run: Run): Promise<Heard> {
  const { input, additionalInput: additional, task } = asked;
  const [oldest] = run.questions;
  const named = textField(additional, "question_id");
  const isAnswer = named !== undefined || (oldest !== undefined && (input !== null || answers(additional)));
  if (isAnswer) {
    const question = named === undefined ? oldest : run.questions.find(({ id }) => id === named);
    if (named === undefined && question && mustBeSeen(question) && !official.shown.has(run, question)) {
      return { kind: "unused", why: "the task asks a question that was not shown before; answer it now" };
    }
    await official.hub.answer(task, readAnswer(asked, named ?? oldest?.id ?? "", question));
    return USED;
  }
  if (input === null && Object.keys(additional).length === 0) return USED;
  if (isTerminal(run.status)) return { kind: "unused", why: "the task has ended" };
  return say(official, task, messageOf(asked), run);
}

async function say({ hub }: Official, task: string, message: NewMessage, run: Run): Promise<Heard> {
  try {
    await hub.say(task, message);
    return USED;
  } catch (error) {
    if (isOneOf(error, "RUN_ENDED")) return { kind: "unused", why: "the task has ended" };
    if (!isOneOf(error, "NOT_SUPPORTED")) throw error;
    return { kind: "unused", why: `${run.agent} works by itself once it has its task` };
  }
}

function isOneOf(error: unknown, ...codes: ErrorCode[]): boolean {
  return ProctorError.is(error) && codes.includes(error.code);
}

function messageOf({ input, additionalInput: additional }: AskedStep): NewMessage {
  if (input === null) return { parts: [{ kind: "data", data: additional }] };
  const extensions = Object.keys(additional).length === 0 ? {} : { extensions: additional };
  return { parts: [textPart(input)], ...extensions };
}

/** Returns true for a question that the client must have seen to answer it: its text may have been meant for another question. */
function mustBeSeen({ kind }: Question): boolean {
  return kind === "permission" || kind === "approval" || kind === "auth";
}

function answers(additional: JsonObject): boolean {
  return ["option", "data", "outcome"].some((name) => additional[name] !== undefined);
}

function readAnswer(
  { input, additionalInput: additional }: AskedStep,
  questionId: string,
  question: Question | undefined,
): NewAnswer {
  const option = textField(additional, "option");
  const id = textField(additional, "answer_id");
  const outcome = outcomeOf(additional);
  // Clients of this protocol have only texts, so that of a form is its data as JSON.
  const isForm = question?.kind === "form" && additional["data"] === undefined && outcome !== "declined";
  const data =
    isForm && input !== null ? parseJson(input, "the input, which answers a form,") : additional["data"];
  return {
    question_id: questionId,
    ...(id !== undefined && { id }),
    ...(option !== undefined && { option }),
    ...(outcome && { outcome }),
    ...(data !== undefined && { data }),
    ...(input !== null && !isForm && { parts: [textPart(input)] }),
  };
}

function outcomeOf({ outcome }: JsonObject): NewAnswer["outcome"] {
  if (outcome === undefined || outcome === null) return undefined;
  if (outcome === "given" || outcome === "declined") return outcome;
  throw wrongField("additional_input.outcome", 'must be "given" or "declined"');
}

function textField(additional: JsonObject, name: string): string | undefined {
  const value = additional[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && value !== "" && value.length <= MAX_ID_CHARS) return value;
  throw wrongField(`additional_input.${name}`, `must be a text of 1 to ${MAX_ID_CHARS} characters`);
}
