// `proctor approvals approve` and `reject`: the option that allows, or denies, what is asked.
import { ProctorError } from "../../../core/errors.ts";
import { textPart } from "../../../core/message.ts";
import type { NewAnswer, Question } from "../../../core/question.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { oneLine } from "../../terminal/text.ts";
import { findQuestion } from "../runs/find-question.ts";
import { findRun } from "../runs/find-run.ts";
import { person } from "../talk/person.ts";
import type { DecideFlags } from "./flags.ts";

type Decide = (
  reference: string,
  wanted: string | undefined,
  flags: DecideFlags,
  context: CommandContext,
) => Promise<number>;

export const approve: Decide = (...given) => decide("allow", ...given);
export const reject: Decide = (...given) => decide("deny", ...given);

function decide(effect: "allow" | "deny", ...[reference, wanted, flags, context]: Parameters<Decide>) {
  return withHub(context, flags, "write", async ({ hub }) => {
    const screen = createScreen(context.io);
    const run = await findRun(hub, reference);
    const question = findQuestion(run, wanted);
    const words = flags.text === undefined ? {} : { parts: [textPart(flags.text)] };
    const by = person(context.io);
    const after = await hub.answer(run.id, { ...answerOf(question, effect), ...words, by });
    if (flags.json === true) screen.printJson(after);
    else {
      const done = effect === "allow" ? "approved" : "rejected";
      const what = `${done} ${oneLine(question.id)} of ${run.id}, which is ${after.status}`;
      screen.print(`${screen.paint.green("»")} ${what}`, `   watch: proctor runs events ${run.id} --follow`);
    }
    return 0;
  });
}

function answerOf({ id, options = [] }: Question, effect: "allow" | "deny"): NewAnswer {
  const option = options.find((one) => one.effect === effect);
  if (option !== undefined) return { question_id: id, option: option.id };
  if (effect === "deny") return { question_id: id, outcome: "declined" };
  const choices = options.map((one) => oneLine(one.id)).join(", ");
  throw new ProctorError(
    "USAGE",
    `question ${oneLine(id)} asks for more than a yes\nanswer it: proctor approvals answer … --option, --text or --data${choices === "" ? "" : `; options: ${choices}`}`,
  );
}
