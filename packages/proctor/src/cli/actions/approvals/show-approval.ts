// `proctor approvals show`: what is asked, by whom and for what, and how to answer.
import { hubAction } from "../hub-action.ts";
import { questionLines } from "../../terminal/question-lines.ts";
import { oneLine } from "../../terminal/text.ts";
import { findQuestion } from "../runs/find-question.ts";
import { findRun } from "../runs/find-run.ts";
import { expiry } from "../runs/list-questions.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import type { OpenQuestion } from "../../../core/ports/store.ts";
import type { DocumentFlags } from "../../flags.ts";

const PAGE = 100;

export const showApproval = hubAction(
  "read",
  async ({ hub, screen }, reference: string, wanted: string | undefined, flags: DocumentFlags) => {
    const run = await findRun(hub, reference);
    const question = findQuestion(run, wanted);
    const found = await findOpen(hub, run.id, question.id);
    const goal = found?.goal ?? null;
    if (flags.json === true) {
      const { id: run_id, agent, conversation_id } = run;
      screen.printJson(found ?? { run_id, agent, conversation_id, goal, question });
      return 0;
    }
    const { paint, width } = screen;
    const { notified = [] } = question;
    const facts = [
      `asked by  ${oneLine(run.agent)}, run ${run.id}`,
      ...(goal === null ? [] : [`goal      ${oneLine(goal.title)} (${goal.id})`]),
      `for       ${question.audience === "human" ? "a person" : `any ${question.audience}`}`,
      ...(notified.length > 0 ? [`told      ${notified.map(oneLine).join(", ")}`] : []),
      `expires   ${expiry(question.expires_at, Date.now())}`,
    ];
    const place = `${run.id} ${oneLine(question.id)}`;
    screen.print(...questionLines(question, paint, width), "", ...facts.map(paint.dim));
    screen.print("", paint.dim(`approve: proctor approvals approve ${place}`));
  },
);

/** Resolves with the question and its goal; undefined where it was answered meanwhile. A goal may ask hundreds of questions at once. */
async function findOpen(
  hub: Pick<Hub, "questions">,
  run: string,
  questionId: string,
): Promise<OpenQuestion | undefined> {
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = await hub.questions({ run, limit: PAGE, ...(cursor !== "" && { cursor }) });
    const found = page.items.find(({ question }) => question.id === questionId);
    if (found !== undefined) return found;
    cursor = page.next_cursor;
  }
  return undefined;
}
