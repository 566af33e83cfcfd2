// The last stage of a review: a person sees what was made, and what the stages before found, and decides.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { textOf, textPart } from "../../core/message.ts";
import type { Answer, NewQuestion, QuestionOption } from "../../core/question.ts";
import { shorten } from "../../core/shorten.ts";
import type { ReviewActions, ReviewQuestion } from "./contract.ts";
import type { Finding } from "./stages.ts";

/** The options that a person may choose. */
const REVIEW_OPTIONS: QuestionOption[] = [
  { id: "approve", name: "Approve", effect: "allow" },
  { id: "retry", name: "Retry with feedback", effect: "other" },
  { id: "reject", name: "Reject", effect: "deny" },
];

/** Characters of JSON that a question shows of the input and of the output each; the run has the whole text. */
const MAX_SHOWN_CHARS = 50_000;

/** Resolves with the finding of a person; its verdict is null where no answer came. */
export async function askPerson(
  question: ReviewQuestion,
  findings: readonly Finding[],
  actions: ReviewActions,
): Promise<Finding> {
  const answer = await actions.askHuman(questionTo(question, findings));
  if (answer === undefined) return { by: "human", verdict: null, trouble: "nobody answered in time" };
  return readAnswer(answer);
}

function questionTo(question: ReviewQuestion, findings: readonly Finding[]): Omit<NewQuestion, "id"> {
  const { task, run, round, review, goal, input, output } = question;
  const title = task.title ?? task.id;
  const last = findings.at(-1);
  const why = last === undefined ? "" : `\n${describe(last)}`;
  const subject: JsonObject = {
    review: task.id,
    title,
    goal: shorten(goal, MAX_SHOWN_CHARS),
    run_id: run.id,
    agent: run.agent,
    round,
    input: shown(input),
    output: shown(output),
    ...(review.rubric !== undefined && { rubric: review.rubric }),
    findings: findings.map(({ by, verdict, feedback, reason, trouble }) => ({
      by,
      verdict,
      ...(feedback !== undefined && { feedback: shown(feedback) }),
      ...(reason !== undefined && { reason }),
      ...(trouble !== undefined && { trouble }),
    })),
  };
  return {
    kind: "approval",
    parts: [textPart(`Is the output of "${title}" good enough?${why}`)],
    options: REVIEW_OPTIONS,
    subject,
  };
}

function describe({ by, verdict, reason, trouble }: Finding): string {
  const who = { schema: "The schema", checks: "The checks", agent: "The reviewing agent", human: "A person" }[
    by
  ];
  if (verdict === null) return `${who} could not judge: ${trouble ?? "it is not known why"}`;
  return `${who} said ${verdict}${reason === undefined ? "" : `: ${reason}`}`;
}

/** Reads an answer. Only its option decides; words and data say why, or what to improve. */
function readAnswer({ option, outcome, parts = [], data }: Answer): Finding {
  const words = textOf(parts);
  const said = data ?? (words === "" ? undefined : words);
  const feedback = isJsonObject(said) && said["feedback"] !== undefined ? said["feedback"] : said;
  if (outcome === "given" && option === "approve") return { by: "human", verdict: "approve" };
  if (outcome === "given" && option === "retry")
    return { by: "human", verdict: "retry", ...(feedback !== undefined && { feedback }) };
  const reason = words === "" ? "a person rejected it" : words;
  return { by: "human", verdict: "reject", reason };
}

function shown(value: Json): Json {
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN_CHARS ? value : { shortened: shorten(text, MAX_SHOWN_CHARS) };
}
