// The payload of an `answer` as the answer to a question of a run.
import type { Envelope } from "../core/envelope.ts";
import { ProctorError } from "../core/errors.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { textPart } from "../core/message.ts";
import type { NewAnswer, Question } from "../core/question.ts";

/** Throws QUESTION_NOT_FOUND, INVALID_REQUEST, NOT_SUPPORTED. `open` are the questions that nobody has answered yet. */
export function readAnswer({ id, payload }: Envelope, open: readonly Question[]): NewAnswer {
  const said: JsonObject = isJsonObject(payload) ? payload : { text: payload };
  const { text, option, data, outcome } = said;
  const question = questionOf(said, open);
  if (question.kind === "auth")
    throw new ProctorError(
      "NOT_SUPPORTED",
      "credentials do not belong into an envelope, which is kept as it came\nanswer with: proctor runs answer",
    );
  return {
    question_id: question.id,
    id,
    ...((outcome === "given" || outcome === "declined") && { outcome }),
    ...(typeof option === "string" && { option }),
    ...(typeof text === "string" && { parts: [textPart(text)] }),
    ...(data !== undefined && { data }),
  };
}

function questionOf({ question_id: named }: JsonObject, open: readonly Question[]): Question {
  const [only, ...others] = open;
  const found = named === undefined ? only : open.find(({ id }) => id === named);
  if (found !== undefined && (named !== undefined || others.length === 0)) return found;
  const ids = open.map(({ id }) => id).join(", ");
  throw new ProctorError(
    "QUESTION_NOT_FOUND",
    open.length === 0
      ? "the run has no open question"
      : `name one of its questions in payload.question_id: ${ids}`,
  );
}
