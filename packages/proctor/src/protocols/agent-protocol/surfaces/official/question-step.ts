// A question of the agent as a step. While it is open, the step is `created` and waits for the input that answers it; when it is closed,
// it is over, and only its id leads to it.
import { createHash } from "node:crypto";
import type { RunEvent } from "../../../../core/event.ts";
import type { JsonObject } from "../../../../core/json.ts";
import { textOf } from "../../../../core/message.ts";
import type { Hub } from "../../../../core/ports/hub.ts";
import type { Answer, Question, QuestionKind } from "../../../../core/question.ts";
import type { Run } from "../../../../core/run.ts";
import type { Step } from "../../../../core/step.ts";
import { pendingStep } from "./pending-step.ts";

const TITLES: Record<QuestionKind, string> = {
  input: "Question",
  form: "Form",
  permission: "Permission",
  approval: "Approval",
  auth: "Sign-in",
};
const MAX_NAME_CHARS = 120;

export function openQuestionStep(run: Run, question: Question, index: number): Step {
  const text = textOf(question.parts);
  return {
    ...pendingStep(run, index),
    id: questionStepId(run.id, question.id),
    name: nameOf(question.kind, text),
    status: "created",
    output: text,
    additional_output: { question: questionDocument(question, text) },
  };
}

export function isQuestionStepId(taskId: string, stepId: string): boolean {
  return stepId.startsWith(prefixOf(taskId));
}

/** Returns the open question that the step stands for. */
export function findOpenQuestion(run: Run, stepId: string): Question | undefined {
  return run.questions.find(({ id }) => questionStepId(run.id, id) === stepId);
}

/** Resolves with the step of a question that is closed, by its id; undefined when the task asked no such question. */
export async function findClosedQuestionStep(
  hub: Pick<Hub, "events">,
  run: Run,
  stepId: string,
): Promise<Step | undefined> {
  let asked: Question | undefined;
  for await (const event of questionEvents(hub, run.id)) {
    if (event.type === "question.asked" && questionStepId(run.id, event.payload.question.id) === stepId)
      asked = event.payload.question;
    const closed = asked && closing(event, asked);
    if (asked && closed) return closedStep(openQuestionStep(run, asked, 0), closed);
  }
  return undefined;
}

/** Derives the id of the step, because ids of questions are texts of the agent, and this one goes into paths. */
function questionStepId(taskId: string, questionId: string): string {
  return `${prefixOf(taskId)}${createHash("sha256").update(questionId).digest("hex").slice(0, 32)}`;
}

function prefixOf(taskId: string): string {
  return `${taskId}-question-`;
}

function nameOf(kind: QuestionKind, text: string): string {
  const line = text
    .slice(0, MAX_NAME_CHARS * 4)
    .replaceAll(/\s+/g, " ")
    .trim();
  const characters = Array.from(line);
  const short =
    characters.length > MAX_NAME_CHARS ? `${characters.slice(0, MAX_NAME_CHARS - 1).join("")}…` : line;
  return short === "" ? TITLES[kind] : `${TITLES[kind]}: ${short}`;
}

function questionDocument(question: Question, text: string): JsonObject {
  const { id, kind, options, schema, subject, blocking, audience, expires_at } = question;
  return {
    id,
    kind,
    text,
    ...(options && { options }),
    ...(schema && { schema }),
    ...(subject && { subject }),
    blocking,
    audience,
    expires_at,
  };
}

interface Closed {
  how: "answered" | "withdrawn" | "expired";
  answer?: Answer;
}

function closing(event: RunEvent, { id }: Question): Closed | undefined {
  switch (event.type) {
    case "question.answered":
      return event.payload.id === id ? { how: "answered", answer: event.payload.answer } : undefined;
    case "question.withdrawn":
      return event.payload.id === id ? { how: "withdrawn" } : undefined;
    case "question.expired":
      return event.payload.id === id
        ? { how: "expired", ...(event.payload.answer && { answer: event.payload.answer }) }
        : undefined;
    default:
      return undefined;
  }
}

function closedStep(step: Step, { how, answer }: Closed): Step {
  return {
    ...step,
    status: "completed",
    input: answer?.option ?? (answer?.parts ? textOf(answer.parts) : null),
    additional_output: { ...step.additional_output, closed: how, ...(answer && { answer }) },
  };
}

const PAGE = 1000;

async function* questionEvents(hub: Pick<Hub, "events">, runId: string): AsyncGenerator<RunEvent> {
  for (let after = -1; ;) {
    const page = await hub.events(runId, { after, limit: PAGE });
    for (const event of page) if (event.type.startsWith("question.")) yield event;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.sequence;
  }
}
