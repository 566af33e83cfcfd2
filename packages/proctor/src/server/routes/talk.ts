// Talking to runs: what is said to them, what they ask, and what was said in the runs that belong together.
import type { QuestionQuery } from "../../core/ports/store.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { pathParam, runParam } from "../call.ts";
import { readBody } from "../read-body.ts";
import { routesOf, type Route } from "../route.ts";
import { ConversationDocument, TallyDocument } from "../schemas/conversation.ts";
import { MessageBody, MessageDocument, MessageList, toMessage } from "../schemas/message.ts";
import { AnswerBody, QuestionList, QuestionQueryParams, toAnswer } from "../schemas/question.ts";
import { RunDocument } from "../schemas/run.ts";
import { BODY_REFUSALS, RUN_NOT_FOUND } from "./refusals.ts";

const MALFORMED = "The body is malformed; `details` name the fields.";

export function talkRoutes(bodyLimitBytes: number): Route[] {
  return routesOf({ tag: "Conversations" }, [
    {
      id: "sayToRun",
      at: "POST /runs/{id}/messages",
      scope: "runs:write",
      summary: "Say something to a run",
      description:
        "Answers when the message is in the log; `message.delivered` says that the agent has it. A message with the same `id` is taken once.",
      body: { schema: MessageBody, required: true, example: { text: "In English, please." } },
      responses: {
        201: { description: "The message.", schema: MessageDocument },
        400: MALFORMED,
        404: RUN_NOT_FOUND,
        409: "The run has ended (`RUN_ENDED`), its agent hears nothing while it works (`NOT_SUPPORTED`), or it has too many messages (`LIMIT_REACHED`).",
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const id = runParam(call);
        const body = await readBody(call.request, MessageBody, bodyLimitBytes);
        return jsonResponse(await call.hub.say(id, toMessage(body)), 201);
      },
    },
    {
      id: "getRunMessages",
      at: "GET /runs/{id}/messages",
      scope: "runs:read",
      summary: "Read what was said in a run",
      description: "The task first, then everything in the order of the log, in one page.",
      responses: { 200: { description: "All messages.", schema: MessageList }, 404: RUN_NOT_FOUND },
      handle: async (call) =>
        jsonResponse({ items: await call.hub.messages(runParam(call)), next_cursor: null }),
    },
    {
      id: "answerRun",
      at: "POST /runs/{id}/answers",
      scope: "runs:write",
      summary: "Answer a question of a run",
      description:
        "Answers when it is in the log. Whoever is first has answered; an answer with the same `id` is taken once. What is given to a question of the kind `auth` is never shown again.",
      body: { schema: AnswerBody, required: true, example: { question_id: "q1", option: "allow" } },
      responses: {
        200: { description: "The run with the answer.", schema: RunDocument },
        400: "The body is malformed, or what it says is no answer to the question.",
        403: "Somebody else is to answer.",
        404: "There is no such run, or it never asked this (`QUESTION_NOT_FOUND`).",
        409: "Somebody else was faster, or the question was withdrawn or has expired (`ANSWERED_ALREADY`); the run has ended (`RUN_ENDED`).",
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const id = runParam(call);
        const body = await readBody(call.request, AnswerBody, bodyLimitBytes);
        return jsonResponse(await call.hub.answer(id, toAnswer(body)));
      },
    },
    {
      id: "getRunTally",
      at: "GET /runs/{id}/tally",
      scope: "runs:read",
      summary: "Read what a tree of runs has used",
      description: "By the run at its top: the sum over it and the runs below it.",
      responses: { 200: { description: "The sum.", schema: TallyDocument }, 404: RUN_NOT_FOUND },
      handle: async (call) => jsonResponse(await call.hub.tally(runParam(call))),
    },
    {
      id: "listQuestions",
      at: "GET /questions",
      scope: "runs:read",
      summary: "List open questions",
      description:
        "The inbox of everything that waits for somebody: `audience=human` is what waits for a person. Each says who asks, for which goal, about what exactly (`subject`), and until when. `/events?type=question.asked` tells of new ones as they come.",
      query: QuestionQueryParams,
      responses: {
        200: {
          description: "A page of questions that nobody has answered yet, those of the oldest run first.",
          schema: QuestionList,
        },
        400: "A filter or the cursor is wrong.",
      },
      async handle(call) {
        const query = readQuery(call.request.url, QuestionQueryParams) as QuestionQuery;
        return jsonResponse(await call.hub.questions(query));
      },
    },
    {
      id: "getConversation",
      at: "GET /conversations/{id}",
      scope: "runs:read",
      summary: "Read a conversation",
      responses: {
        200: { description: "Its runs and what was said in them.", schema: ConversationDocument },
        404: "There is no such conversation.",
      },
      handle: async (call) => jsonResponse(await call.hub.conversation(pathParam(call, "id"))),
    },
  ]);
}
