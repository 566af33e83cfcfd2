// The open question of a run that a user means: by its id, by what its id begins with, or the only one.
import { ProctorError } from "../../../core/errors.ts";
import { textOf } from "../../../core/message.ts";
import type { Question } from "../../../core/question.ts";
import { isTerminal, type Run } from "../../../core/run.ts";
import { oneLine, truncate } from "../../terminal/text.ts";

const MAX_NAMED = 20;
const TEXT_COLUMNS = 60;

export function findQuestion(run: Run, wanted: string | undefined): Question {
  const { id, questions } = run;
  const exact = questions.find((question) => question.id === wanted);
  if (exact !== undefined) return exact;
  const fitting = wanted === undefined ? questions : questions.filter((one) => one.id.startsWith(wanted));
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  if (questions.length === 0) throw nothingAsked(run);
  const problem =
    wanted === undefined
      ? `run ${id} has ${questions.length} open questions: say which`
      : only === undefined
        ? `run ${id} has no open question "${oneLine(wanted)}"`
        : `"${oneLine(wanted)}" begins the id of several questions: give more of it`;
  const shown = (fitting.length > 0 ? fitting : questions).slice(0, MAX_NAMED);
  const lines = shown.map(
    (question) =>
      `${oneLine(question.id)}  ${question.kind}: ${truncate(oneLine(textOf(question.parts)), TEXT_COLUMNS)}`,
  );
  throw new ProctorError(
    only === undefined ? "QUESTION_NOT_FOUND" : "USAGE",
    [problem, ...lines].join("\n"),
    {
      details: { run_id: id, ids: shown.map((question) => question.id) },
    },
  );
}

function nothingAsked({ id, status }: Run): ProctorError {
  const details = { run_id: id, status };
  if (isTerminal(status))
    return new ProctorError("RUN_ENDED", `run ${id} is ${status}: it asks nothing`, { details });
  return new ProctorError(
    "QUESTION_NOT_FOUND",
    `run ${id} is ${status}, and asks nothing\nall open questions: proctor runs questions`,
    { details },
  );
}
