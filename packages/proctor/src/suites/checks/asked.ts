// Passes when the agent asked something: of this kind, in these words, this number of times.
import { z } from "zod";
import { textOf } from "../../core/message.ts";
import { quote } from "../../core/printable.ts";
import { QUESTION_KINDS, type Question } from "../../core/question.ts";
import type { Check } from "../check.ts";
import { checkPattern, compilePattern } from "../patterns/pattern.ts";
import { fail, pass } from "../verdict.ts";
import { count } from "../texts/words.ts";
import { listQuestions, questionsIn } from "../talk/questions-in.ts";

const config = z
  .strictObject({
    kind: z.enum(QUESTION_KINDS).optional(),
    /** A text that the question contains. */
    text: z.string().min(1).optional(),
    /** A regular expression that matches in the question. */
    matches: z.string().min(1).optional(),
    /** The exact number of questions; at least one when absent. */
    times: z.int().min(0).optional(),
  })
  .superRefine(({ matches }, context) => {
    if (matches !== undefined) checkPattern(matches, context, "matches");
  });

type Config = z.output<typeof config>;

export const asked: Check<Config> = {
  type: "asked",
  config,
  async evaluate(subject, config) {
    const all = await questionsIn(subject);
    const isMeant = meant(config);
    const found = all.filter(isMeant).length;
    const { times } = config;
    const wanted = times === undefined ? "at least 1 expected" : `exactly ${times} expected`;
    const message = `${count(found, "question")}${described(config)}, ${wanted}`;
    if (times === undefined ? found > 0 : found === times) return pass(message);
    return fail(`${message}; ${listQuestions(all)}`);
  },
};

function meant({ kind, text, matches }: Config): (question: Question) => boolean {
  const expression = matches === undefined ? undefined : compilePattern(matches, true);
  return (question) => {
    const said = textOf(question.parts);
    return (
      (kind === undefined || question.kind === kind) &&
      (text === undefined || said.includes(text)) &&
      (expression === undefined || expression([said]))
    );
  };
}

function described({ kind, text, matches }: Config): string {
  return [
    ...(kind === undefined ? [] : [` of kind ${kind}`]),
    ...(text === undefined ? [] : [` with ${quote(text)}`]),
    ...(matches === undefined ? [] : [` that match /${matches}/`]),
  ].join("");
}
