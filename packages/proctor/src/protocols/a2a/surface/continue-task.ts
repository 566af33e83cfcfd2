// A message to a task that exists: the answer to its question, or something said to its agent. Free text never approves anything: only an
// option's id or exact name does, or data that names the question.
import { answerAs } from "../../../core/answer-as.ts";
import { OPERATOR, type Caller } from "../../../core/caller.ts";
import { ProctorError } from "../../../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { Part } from "../../../core/message.ts";
import { parseJson } from "../../../core/parse-json.ts";
import { needsOption } from "../../../core/policy.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import type { Answerer, NewAnswer, Question } from "../../../core/question.ts";
import type { Run } from "../../../core/run.ts";
import { A2aError } from "../errors.ts";
import type { A2aMessage } from "../model.ts";
import { addFiles } from "./add-files.ts";
import type { FoundTask } from "./find-task.ts";
import { decodeMessage, wrong, type DecodedMessage } from "./messages.ts";
import { shownQuestion } from "./task-state.ts";

type Talking = Pick<Hub, "say" | "answer" | "addFile" | "remove">;

/** Throws INVALID_PARAMS, UNSUPPORTED_OPERATION, or a ProctorError of the hub. The same message again changes nothing. */
export async function continueTask(
  hub: Talking,
  task: FoundTask,
  sent: A2aMessage,
  caller: Caller = OPERATOR,
): Promise<void> {
  const { last: run } = task;
  if (sent.contextId !== undefined && sent.contextId !== run.conversation_id)
    throw wrong("message.contextId", "is not the context of the task that the message names");
  const decoded = decodeMessage(sent);
  const question = shownQuestion(run);
  const answer = exactAnswer(decoded) ?? (question && answerTo(question, decoded));
  try {
    if (answer !== undefined) {
      await hub.answer(run.id, answerAs(caller, { ...answer, id: decoded.message.id }));
      return;
    }
    // Refuses before its files are stored: an agent that cannot take messages gets nothing.
    await hub.say(run.id, decoded.message);
    await addFiles(hub, run, decoded.files);
  } catch (error) {
    throw explained(error, task, run, question);
  }
}

/** Reads `{question_id, option?, data?, outcome?, by?}` in a data part, which answers that question and no other. */
function exactAnswer({ message }: DecodedMessage): NewAnswer | undefined {
  const named = message.parts.flatMap((part) => {
    const data = part.kind === "data" && isJsonObject(part.data) ? part.data : {};
    const { question_id: id } = data;
    return typeof id === "string" ? [{ id, data }] : [];
  });
  const [first, ...others] = named;
  if (first === undefined) return undefined;
  if (others.length > 0) throw wrong("message.parts", "answers several questions; send one message for each");
  const { option, data: given, outcome, by } = first.data;
  if (option !== undefined && typeof option !== "string") throw wrong("option", "must be a text");
  if (outcome !== undefined && outcome !== "given" && outcome !== "declined")
    throw wrong("outcome", 'must be "given" or "declined"');
  const words = message.parts.filter(({ kind }) => kind === "text");
  return {
    question_id: first.id,
    ...(option !== undefined && { option }),
    ...(given !== undefined && { data: given }),
    ...(outcome !== undefined && { outcome }),
    ...(by !== undefined && { by: answererIn(by) }),
    ...(words.length > 0 && option === undefined && { parts: words }),
  };
}

/** Accepts `{kind: "human", name?}` for a person. */
function answererIn(by: Json): Answerer {
  const { kind, name } = isJsonObject(by) ? by : {};
  if (kind !== "human" && kind !== "client") throw wrong("by.kind", 'must be "human" or "client"');
  if (name !== undefined && typeof name !== "string") throw wrong("by.name", "must be a text");
  return { kind, ...(name !== undefined && { name }) };
}

/** Returns what the message means to the question that the client saw; undefined when it is not an answer. */
function answerTo(question: Question, { message: { parts } }: DecodedMessage): NewAnswer | undefined {
  const question_id = question.id;
  if (needsOption(question.kind)) {
    const option = optionNamed(question, parts);
    return option === undefined ? undefined : { question_id, option };
  }
  switch (question.kind) {
    // A client that hands out credentials has to name the question that they are for.
    case "auth":
      return undefined;
    case "form":
      return { question_id, data: formData(parts) };
    default:
      return { question_id, parts };
  }
}

function optionNamed({ options = [] }: Question, parts: readonly Part[]): string | undefined {
  const [only, ...others] = parts;
  if (only === undefined || others.length > 0) return undefined;
  const named =
    only.kind === "text" ? only.text.trim() : only.kind === "data" ? fieldOf(only.data, "option") : undefined;
  return options.find(({ id, name }) => id === named || name === named)?.id;
}

function fieldOf(data: Json, name: string): Json | undefined {
  return isJsonObject(data) ? data[name] : undefined;
}

/** Returns the data part, or a text that is JSON: clients with a text box only have texts. */
function formData(parts: readonly Part[]): Json {
  for (const part of parts) if (part.kind === "data") return part.data;
  const text = parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
  try {
    return parseJson(text, "the message");
  } catch {
    throw wrong("message.parts", "answers a form: send its fields as a data part");
  }
}

/** Adds to the error what the client can do instead. */
function explained(error: unknown, task: FoundTask, run: Run, question: Question | undefined): unknown {
  if (!ProctorError.is(error)) return error;
  const metadata = { taskId: task.id, contextId: run.conversation_id };
  if (error.code === "RUN_ENDED")
    return new A2aError(
      "UNSUPPORTED_OPERATION",
      `task ${task.id} has ended; to go on, send a message without taskId and with contextId ${run.conversation_id}`,
      { metadata, cause: error },
    );
  if (error.code !== "NOT_SUPPORTED") return error;
  if (question === undefined)
    return new A2aError(
      "UNSUPPORTED_OPERATION",
      `nothing can be said to this agent while it works; wait for the end of task ${task.id}`,
      { metadata, cause: error },
    );
  return wrong("message.parts", howToAnswer(question));
}

function howToAnswer({ id, kind, options = [] }: Question): string {
  const exact: JsonObject = { question_id: id, ...(kind === "auth" ? { data: {} } : { option: "…" }) };
  const names = options.map((option) => option.id).join(", ");
  const choices = names === "" ? "" : `one of ${names} as text, or `;
  return `is no answer to the task's question, and its agent hears nothing else; send ${choices}a data part ${JSON.stringify(exact)}`;
}
