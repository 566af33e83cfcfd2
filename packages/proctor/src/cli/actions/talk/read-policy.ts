// `<kind>=<policy>`: what happens to the questions of one kind.
import { InvalidArgumentError } from "commander";
import { POLICY_NAMES, type Policy } from "../../../core/conversation-options.ts";
import type { Json } from "../../../core/json.ts";
import { QUESTION_KINDS, type QuestionKind } from "../../../core/question.ts";

type Policies = Partial<Record<QuestionKind, Policy>>;

const ANSWER = "answer:";

export function readPolicy(text: string, before: Policies | undefined): Policies {
  const at = text.indexOf("=");
  const kind = QUESTION_KINDS.find((known) => known === text.slice(0, at));
  if (at === -1 || kind === undefined) {
    throw new InvalidArgumentError(`It must begin with a kind of question: ${QUESTION_KINDS.join(", ")}.`);
  }
  return { ...before, [kind]: policyOf(kind, text.slice(at + 1)) };
}

function policyOf(kind: QuestionKind, text: string): Policy {
  if (text.startsWith(ANSWER)) return { answer: answerOf(kind, text.slice(ANSWER.length)) };
  const policy = POLICY_NAMES.find((known) => known === text);
  if (policy !== undefined) return policy;
  throw new InvalidArgumentError(`It must be one of ${POLICY_NAMES.join(", ")}, or ${ANSWER}<text>.`);
}

/** Returns the answer to a question: data for a form, text for everything else. */
function answerOf(kind: QuestionKind, text: string): Json {
  if (kind !== "form") return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new InvalidArgumentError('A form is answered with JSON, such as answer:{"name":"Ada"}.');
  }
}
