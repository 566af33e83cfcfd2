// Whether a caller may answer a question, and whether what it sends is an answer to it.
import { ProctorError } from "./errors.ts";
import { uuidV7 } from "./id.ts";
import type { Json } from "./json.ts";
import { MAX_ID_CHARS, MAX_MESSAGE_CHARS, textOf } from "./message.ts";
import { needsOption } from "./policy.ts";
import type { Answer, Answerer, NewAnswer, Question } from "./question.ts";

/** Returns what is wrong with data by a JSON Schema; undefined when it fits. */
export type CheckSchema = (schema: Json, data: Json) => string | undefined;

/** Returns the answer as the log keeps it. Throws FORBIDDEN, INVALID_REQUEST or PAYLOAD_TOO_LARGE. */
export function checkAnswer(question: Question, given: NewAnswer, checkSchema?: CheckSchema): Answer {
  const by: Answerer = given.by ?? { kind: "client" };
  refuseOthers(question, by);
  const { id = uuidV7(), parts, data } = given;
  if (id === "" || id.length > MAX_ID_CHARS) throw invalid("id", `must have 1 to ${MAX_ID_CHARS} characters`);
  if (JSON.stringify([parts, data]).length > MAX_MESSAGE_CHARS) {
    throw new ProctorError("PAYLOAD_TOO_LARGE", `an answer has at most ${MAX_MESSAGE_CHARS} characters`);
  }
  const option = optionOf(question, given);
  const effect = question.options?.find((one) => one.id === option)?.effect;
  const outcome = given.outcome ?? (effect === "deny" ? "declined" : "given");
  const answer: Answer = {
    id,
    by,
    outcome,
    ...(option !== undefined && { option }),
    ...(parts !== undefined && { parts }),
    ...(data !== undefined && { data }),
  };
  if (outcome === "given") refuseEmpty(question, answer, checkSchema);
  else if (effect === "allow") throw invalid("outcome", `"declined" does not go with an option that allows`);
  return answer;
}

function refuseOthers({ id, audience }: Question, by: Answerer): void {
  const allowed = { client: ["client", "human"], human: ["human"], simulator: ["simulator"] }[audience];
  if (allowed.includes(by.kind)) return;
  const who =
    audience === "human" ? "a person" : audience === "simulator" ? "the simulated user" : "a client";
  throw new ProctorError("FORBIDDEN", `question ${id} is for ${who} to answer, not for ${by.kind}`, {
    details: { question_id: id, audience, by: by.kind },
  });
}

/** Free text never approves: only an option's id or exact name does. */
function optionOf(question: Question, { option, parts, data, outcome }: NewAnswer): string | undefined {
  const { options = [], kind } = question;
  const named = option ?? (needsOption(kind) ? ((parts && textOf(parts)) ?? optionIn(data)) : undefined);
  const found = options.find(({ id, name }) => named === id || named === name);
  if (found) return found.id;
  if (option === undefined && (!needsOption(kind) || outcome === "declined")) return undefined;
  const choices = options.map(({ id, name }) => `${id} (${name})`).join(", ");
  const problem = named === undefined ? "an option is needed" : `there is no option ${JSON.stringify(named)}`;
  throw invalid("option", `${problem}; choose one of: ${choices || "none"}`);
}

function optionIn(data: Json | undefined): string | undefined {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return undefined;
  return typeof data["option"] === "string" ? data["option"] : undefined;
}

function refuseEmpty(
  { kind, schema }: Question,
  { option, parts = [], data }: Answer,
  check?: CheckSchema,
): void {
  if (kind === "form" && data === undefined) throw invalid("data", "a form is answered with data");
  if (option === undefined && parts.length === 0 && data === undefined) {
    throw invalid("parts", "an answer needs parts, data or an option");
  }
  const problem = schema === undefined || data === undefined ? undefined : check?.(schema, data);
  if (problem !== undefined) throw invalid("data", problem);
}

function invalid(path: string, message: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", `${path}: ${message}`, { details: [{ path, message }] });
}
