// Asks a person a question until what they type is an answer.
import { ProctorError, type ErrorCode } from "../../../core/errors.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { textPart } from "../../../core/message.ts";
import { deny, needsOption } from "../../../core/policy.ts";
import type { NewAnswer, Question } from "../../../core/question.ts";
import { EVENT_INDENT } from "../../terminal/event-line.ts";
import { formFields, nameOf, readField, type FormField } from "../../terminal/form-fields.ts";
import type { Paint } from "../../terminal/paint.ts";
import type { Prompt } from "../../terminal/prompt.ts";
import { oneLine, truncate } from "../../terminal/text.ts";

export interface AskOptions {
  prompt: Prompt;
  paint: Paint;
  /** Sends the answer. A ProctorError is shown and the question asked again, unless the question is closed. */
  submit(answer: Answered): Promise<void>;
  /** Blanks before everything that is printed. When absent, as many as before the text of events. */
  indent?: string;
}

/** What a person answered. */
export type Answered = Pick<NewAnswer, "outcome" | "option" | "parts" | "data">;

/** What was typed is not an answer: the question is asked again, with the reason. */
interface Again {
  again: string;
}

const MAX_LABEL = 40;
const CLOSED: ReadonlySet<ErrorCode> = new Set(["ANSWERED_ALREADY", "RUN_ENDED", "QUESTION_NOT_FOUND"]);

/** Resolves when the answer was taken. Rejects when the signal is aborted. */
export async function askPerson(question: Question, options: AskOptions, signal: AbortSignal): Promise<void> {
  const { prompt, paint, indent = EVENT_INDENT } = options;
  const tell = (text: string): void => {
    for (const line of text.split("\n")) prompt.print(`${indent}${paint.yellow(oneLine(line))}`);
  };
  await prompt.settle(signal);
  prompt.print(`${indent}${paint.dim(hint(question))}`);
  for (;;) {
    const answered = await read(question, options, signal);
    if ("again" in answered) {
      if (answered.again !== "") tell(answered.again);
      continue;
    }
    try {
      return await options.submit(answered);
    } catch (error) {
      if (!ProctorError.is(error) || isClosed(error)) throw error;
      tell(error.message);
    }
  }
}

/** Whether the question is closed, because another client was faster or the run is over. */
export function isClosed(error: unknown): boolean {
  return ProctorError.is(error) && CLOSED.has(error.code);
}

function hint({ kind, options = [], schema }: Question): string {
  const chooses = options.length > 0 && (needsOption(kind) ? "type a number" : "type a number, or an answer");
  const json = kind === "form" && formFields(schema ?? {}) === undefined && "type JSON";
  const hidden = kind === "auth" && "it is not shown";
  return [chooses, json, hidden, "Ctrl-D declines"].filter(Boolean).join(" · ");
}

async function read(question: Question, options: AskOptions, signal: AbortSignal): Promise<Answered | Again> {
  const fields = question.kind === "form" ? formFields(question.schema ?? {}) : undefined;
  if (fields !== undefined) return readForm(question, fields, options, signal);
  const typed = await options.prompt.read(label("", options), {
    secret: question.kind === "auth",
    pasted: !needsOption(question.kind),
    signal,
  });
  return typed === undefined ? deny(question) : understand(question, typed);
}

/** Reads what was typed. Numbers are ours and names the agent's: a number always means the option that stands next to it. */
function understand({ kind, options = [] }: Question, typed: string): Answered | Again {
  const text = typed.trim();
  if (text === "") return { again: "" };
  const option = /^\d+$/.test(text)
    ? options[Number(text) - 1]
    : options.find(({ id, name }) => text === id || text === name);
  if (option !== undefined) return { option: option.id };
  if (needsOption(kind)) return { again: `type a number from 1 to ${options.length}` };
  if (kind === "form") return readJson(text);
  return { parts: [textPart(kind === "auth" ? text : typed)] };
}

function readJson(text: string): Answered | Again {
  try {
    return { data: JSON.parse(text) as Json };
  } catch {
    return { again: 'that is not JSON; for example: {"name": "Ada"}' };
  }
}

async function readForm(
  question: Question,
  fields: readonly FormField[],
  options: AskOptions,
  signal: AbortSignal,
): Promise<Answered | Again> {
  const { prompt, paint, indent = EVENT_INDENT } = options;
  const data: JsonObject = {};
  for (const field of fields) {
    for (;;) {
      const typed = await prompt.read(label(fieldLabel(field), options), { signal });
      if (typed === undefined) return deny(question);
      if (typed.trim() === "" && !field.required) break;
      const value = typed.trim() === "" ? undefined : readField(field, typed);
      if (value !== undefined) {
        data[field.name] = value;
        break;
      }
      prompt.print(`${indent}${paint.yellow(expected(field))}`);
    }
  }
  return { data };
}

function fieldLabel({ name, required }: FormField): string {
  return `${truncate(oneLine(name), MAX_LABEL)}${required ? "" : " (optional)"} `;
}

function expected({ type, choices }: FormField): string {
  if (choices !== undefined) return `one of: ${oneLine(choices.map(nameOf).join(", "))}`;
  return { string: "it is needed", number: "a number", integer: "a whole number", boolean: "yes or no" }[
    type
  ];
}

function label(text: string, { paint, indent = EVENT_INDENT }: AskOptions): string {
  return `${indent}${text}${paint.green("›")} `;
}
