// Questions as clients read them, and answers as they give them.
import { z } from "zod";
import { MAX_ID_CHARS } from "../../core/message.ts";
import { AUDIENCES, QUESTION_KINDS, type NewAnswer } from "../../core/question.ts";
import { boundedText } from "../../runtime/schemas/bounded.ts";
import { JsonRecord, listOf, PageQuery, Timestamp } from "./common.ts";
import { NewParts, PartDocument, toParts } from "./message.ts";

const QuestionKind = z.enum(QUESTION_KINDS).meta({ id: "QuestionKind" });
const Audience = z.enum(AUDIENCES).meta({ id: "Audience", description: "Who may answer." });

const QuestionOption = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    effect: z.enum(["allow", "deny", "other"]).meta({ id: "OptionEffect" }),
  })
  .meta({ id: "QuestionOption" });

export const QuestionDocument = z
  .looseObject({
    id: z.string(),
    kind: QuestionKind,
    parts: z.array(PartDocument),
    schema: JsonRecord.optional().describe("JSON Schema of the data that a form asks for."),
    options: z.array(QuestionOption).optional(),
    subject: JsonRecord.optional().describe("The exact action to approve."),
    subject_hash: z.string().optional().describe("sha256 of the subject's canonical JSON."),
    blocking: z.boolean().describe("The agent does nothing before it is answered."),
    audience: Audience,
    expires_at: Timestamp,
    notified: z.array(z.string()).optional().describe("Who was told of it by an envelope."),
  })
  .meta({ id: "Question", description: "What an agent wants to know before it goes on." });

const OpenQuestionDocument = z
  .strictObject({
    run_id: z.string(),
    agent: z.string(),
    conversation_id: z.string(),
    goal: z
      .strictObject({ id: z.string(), title: z.string() })
      .nullable()
      .describe("The goal that asks, or that the run works for."),
    question: QuestionDocument,
  })
  .meta({ id: "OpenQuestion", description: "A question that nobody has answered yet." });

export const QuestionList = listOf("QuestionList", OpenQuestionDocument);

export const QuestionQueryParams = PageQuery.extend({
  kind: QuestionKind.optional(),
  audience: Audience.optional(),
  agent: boundedText(8192).optional().describe("A registered name or an address."),
  conversation: boundedText(MAX_ID_CHARS).optional().describe("Id of a conversation."),
  run: boundedText(MAX_ID_CHARS).optional().describe("Id of the run that asks."),
  goal: boundedText(MAX_ID_CHARS)
    .optional()
    .describe("Id of a goal: its own questions, and those of the runs that work for it."),
});

/** A policy of the run's options answers by itself; no client may answer in its name. */
const Answerer = z
  .strictObject({
    kind: z.enum(["client", "human", "simulator"]).meta({ id: "AnswererKind" }),
    name: boundedText(200).optional(),
  })
  .meta({ id: "Answerer", description: "Who answers: a program, a person, or a simulated user." });

export const AnswerBody = z
  .strictObject({
    question_id: boundedText(MAX_ID_CHARS),
    id: boundedText(MAX_ID_CHARS)
      .optional()
      .describe("An answer with the same id is taken once; a new one when absent."),
    by: Answerer.optional().describe("`{kind: client}` when absent."),
    outcome: z
      .enum(["given", "declined"])
      .meta({ id: "AnswerOutcome" })
      .optional()
      .describe("`given` when absent; `declined` with an option that denies."),
    option: boundedText(1000).optional().describe("Id or exact name of one of the options."),
    parts: NewParts.optional(),
    text: z.string().optional().describe("Short for one part of text; not together with `parts`."),
    data: z.unknown().optional().describe("The data that a form asks for."),
  })
  .refine(({ parts, text }) => parts === undefined || text === undefined, {
    path: ["text"],
    message: "not together with `parts`",
  })
  .meta({ id: "NewAnswer", description: "Only an option allows an action; free text never does." });

export const GoalAnswerBody = AnswerBody.safeExtend({
  run_id: boundedText(MAX_ID_CHARS).optional().describe("The run that asks; the goal itself when absent."),
}).meta({ id: "NewGoalAnswer", description: "An answer to a goal, or to a run that works for it." });

/** Returns the answer in its long form, whichever was sent. */
export function toAnswer(body: z.infer<typeof AnswerBody>): NewAnswer {
  const { parts, text, ...rest } = body;
  const given = toParts(parts, text);
  // The schema is NewAnswer; JSON has no `undefined`, so no optional field holds one.
  return { ...(rest as NewAnswer), ...(given && { parts: given }) };
}
