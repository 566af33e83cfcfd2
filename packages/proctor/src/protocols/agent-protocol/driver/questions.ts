// Questions of a server that is a Proctor hub: a step that is `created` and says in `additional_output.question` what is asked. Other
// servers have none. The answer is the input of the next request.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { MAX_ID_CHARS, textOf, textPart } from "../../../core/message.ts";
import {
  QUESTION_KINDS,
  type Answer,
  type NewQuestion,
  type QuestionOption,
} from "../../../core/question.ts";
import { whenAborted } from "../../../core/when-aborted.ts";
import type { CompatStep } from "../wire.ts";

/** Answers of one run, passed from the engine to the step that waits for them. */
export interface Answers {
  give(questionId: string, answer: Answer): void;
  /** Resolves with undefined when the signal aborts first. */
  wait(questionId: string, signal: AbortSignal): Promise<Answer | undefined>;
}

interface Slot {
  promise: Promise<Answer>;
  resolve: (answer: Answer) => void;
}

export function createAnswers(): Answers {
  const slots = new Map<string, Slot>();

  /** Returns the entry of a question, and makes it for the first caller: an answer by a policy is there before it is awaited. */
  function slot(id: string): Slot {
    const known = slots.get(id);
    if (known) return known;
    let resolve = (_answer: Answer): void => undefined;
    const promise = new Promise<Answer>((done) => (resolve = done));
    const made = { promise, resolve };
    slots.set(id, made);
    return made;
  }

  return {
    give: (id, answer) => slot(id).resolve(answer),
    wait: (id, signal) => Promise.race([slot(id).promise, whenAborted(signal).then(() => undefined)]),
  };
}

/** Returns undefined for a step that asks nothing, or not in the form of a hub. */
export function questionIn({ status, additional_output: additional }: CompatStep): NewQuestion | undefined {
  const question = additional?.["question"];
  if (status !== "created" || !isJsonObject(question)) return undefined;
  const { id, kind: named, text, schema, subject, expires_at } = question;
  const kind = QUESTION_KINDS.find((known) => known === named);
  if (kind === undefined || typeof id !== "string" || id === "" || id.length > MAX_ID_CHARS) return undefined;
  const options = Array.isArray(question["options"]) ? question["options"].flatMap(optionIn) : [];
  return {
    id,
    kind,
    parts: [textPart(typeof text === "string" ? text : "")],
    ...(options.length > 0 && { options }),
    ...(isJsonObject(schema) && { schema }),
    ...(isJsonObject(subject) && { subject }),
    ...(typeof expires_at === "string" && { expires_at }),
  };
}

const EFFECTS: readonly QuestionOption["effect"][] = ["allow", "deny", "other"];

function optionIn(entry: Json): QuestionOption[] {
  if (!isJsonObject(entry)) return [];
  const { id, name, effect: named } = entry;
  const effect = EFFECTS.find((known) => known === named);
  return typeof id === "string" && typeof name === "string" && effect ? [{ id, name, effect }] : [];
}

/** Returns the body of the request that answers. The answer's id makes a hub recognise it. */
export function answerBody(questionId: string, answer: Answer): string {
  const { id, outcome, option, data, parts } = answer;
  const additional_input: JsonObject = {
    question_id: questionId,
    answer_id: id,
    outcome,
    ...(option !== undefined && { option }),
    ...(data !== undefined && { data }),
  };
  return JSON.stringify({ ...(parts && { input: textOf(parts) }), additional_input });
}
