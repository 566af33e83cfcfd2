// Goals: ask for one, look at it, do a part of it again. A goal is a run: `/runs/{id}` follows and removes it, and
// goal-control.ts steers it.
import { ProctorError } from "../../core/errors.ts";
import type { Goal, GoalRequest } from "../../core/goal.ts";
import type { PageRequest } from "../../core/page.ts";
import type { Goals } from "../../core/ports/goals.ts";
import { RUN_STATUSES, type RunStatus } from "../../core/run.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { GoalRequestBody, RerunRequestBody, RouteRequestBody } from "../../runtime/schemas/goal.ts";
import { PlanBody } from "../../runtime/schemas/plan.ts";
import { pathParam, type Call } from "../call.ts";
import { pageRequest } from "../page-request.ts";
import { readBody, readOptionalBody } from "../read-body.ts";
import { routesOf, type Route } from "../route.ts";
import { PageQuery } from "../schemas/common.ts";
import {
  DiffDocument,
  GoalDocument,
  GoalList,
  GoalQuery,
  PreviewDocument,
  RouteDocument,
  SubtaskList,
  SuiteQuery,
} from "../schemas/goal.ts";
import { GoalAnswerBody, QuestionList, toAnswer } from "../schemas/question.ts";
import { RunDocument } from "../schemas/run.ts";
import { BAD_PAGE, BODY_REFUSALS } from "./refusals.ts";
import { CREATED_HEADERS, SUBMIT_HEADERS, submitOptions } from "./runs.ts";

const TAG = "Goals";
const NOT_FOUND = "There is no such goal.";
const MALFORMED =
  "The body is malformed, or the plan cannot be carried out (`PLAN_INVALID`); `details` say why.";
const EXAMPLE = {
  goal: "Summarise the news on batteries",
  plan: {
    tasks: [
      { id: "search", capability: "search", input: { query: "batteries" } },
      { id: "summary", capability: "summarise", input: { pages: "${tasks.search.output.pages}" } },
    ],
  },
};

export function goalRoutes(goals: Goals, bodyLimitBytes: number): Route[] {
  function created(call: Call, { goal, created: isNew }: { goal: Goal; created: boolean }): Response {
    call.runId = goal.id;
    const location = `/goals/${goal.id}`;
    return jsonResponse(goal, 202, isNew ? { location } : { location, "idempotency-replayed": "true" });
  }

  async function readGoal(call: Call): Promise<GoalRequest> {
    return await readBody(call.request, GoalRequestBody, bodyLimitBytes);
  }

  return routesOf({ tag: TAG }, [
    {
      id: "createGoal",
      at: "POST /goals",
      scope: "goals:write",
      summary: "Ask for a goal",
      description:
        "Several agents carry it out, by a plan: the one that is given, a single task for a capability, or what an agent with the capability `plan` makes of it. Answers when the goal is safely stored; its log is at `/runs/{id}/events`.",
      headers: SUBMIT_HEADERS,
      body: { schema: GoalRequestBody, required: true, example: EXAMPLE },
      responses: {
        202: { description: "The goal, stored and queued.", schema: GoalDocument, headers: CREATED_HEADERS },
        400: MALFORMED,
        409: "The idempotency key was used with another body.",
        ...BODY_REFUSALS,
      },
      handle: async (call) =>
        created(call, await goals.submit(await readGoal(call), submitOptions(call), call.caller)),
    },
    {
      id: "listGoals",
      at: "GET /goals",
      scope: "goals:read",
      unbound: true,
      summary: "List goals",
      query: GoalQuery,
      responses: { 200: { description: "A page of goals, newest first.", schema: GoalList }, 400: BAD_PAGE },
      async handle(call) {
        const { status, ...page } = readQuery(call.request.url, GoalQuery);
        const query = {
          ...(page as PageRequest),
          ...(status !== undefined && { status: statusesOf(status) }),
        };
        return jsonResponse(await goals.list(query));
      },
    },
    {
      id: "previewGoal",
      at: "POST /goals/preview",
      scope: "goals:write",
      summary: "See what a goal would do",
      description: "The plan is checked and its tasks are routed, and nothing is done.",
      body: { schema: GoalRequestBody, required: true, example: EXAMPLE },
      responses: {
        200: { description: "The plan, its problems, and who would get what.", schema: PreviewDocument },
        400: "The body is malformed.",
        ...BODY_REFUSALS,
      },
      handle: async (call) => jsonResponse(await goals.preview(await readGoal(call), call.caller)),
    },
    {
      id: "routeTask",
      at: "POST /goals/route",
      scope: "goals:read",
      unbound: true,
      summary: "See who would get a task, and why",
      body: {
        schema: RouteRequestBody,
        required: true,
        example: { capability: "search", input: { query: "batteries" } },
      },
      responses: {
        200: { description: "The decision, with everybody who was considered.", schema: RouteDocument },
        400: "The body is malformed.",
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const body = await readBody(call.request, RouteRequestBody, bodyLimitBytes);
        return jsonResponse(await goals.route(body));
      },
    },
    {
      id: "getGoal",
      at: "GET /goals/{id}",
      scope: "goals:read",
      unbound: true,
      summary: "Read a goal",
      responses: { 200: { description: "The goal as it is now.", schema: GoalDocument }, 404: NOT_FOUND },
      handle: async (call) => jsonResponse(await goals.get(pathParam(call, "id"))),
    },
    {
      id: "getGoalPlan",
      at: "GET /goals/{id}/plan",
      scope: "goals:read",
      unbound: true,
      summary: "Read the plan of a goal",
      responses: {
        200: { description: "The plan; null until there is one.", schema: PlanBody.nullable() },
        404: NOT_FOUND,
      },
      handle: async (call) => jsonResponse(await goals.plan(pathParam(call, "id"))),
    },
    {
      id: "listSubtasks",
      at: "GET /goals/{id}/subtasks",
      scope: "goals:read",
      unbound: true,
      summary: "List the sub-tasks of a goal",
      description: "In the order of the plan, each with its attempts, and why each went to whom.",
      query: PageQuery,
      responses: {
        200: { description: "A page of sub-tasks.", schema: SubtaskList },
        400: BAD_PAGE,
        404: NOT_FOUND,
      },
      async handle(call) {
        return jsonResponse(await goals.subtasks(pathParam(call, "id"), pageRequest(call)));
      },
    },
    {
      id: "listGoalQuestions",
      at: "GET /goals/{id}/questions",
      scope: "goals:read",
      unbound: true,
      summary: "List what a goal waits for",
      description: "Open questions of the goal, and of the runs that work for it.",
      query: PageQuery,
      responses: {
        200: { description: "A page of questions, those of the oldest run first.", schema: QuestionList },
        400: BAD_PAGE,
        404: NOT_FOUND,
      },
      async handle(call) {
        const { id } = await goals.get(pathParam(call, "id"));
        const page = pageRequest(call);
        return jsonResponse(await call.hub.questions({ ...page, goal: id }));
      },
    },
    {
      id: "answerGoal",
      at: "POST /goals/{id}/answers",
      scope: "goals:write",
      unbound: true,
      summary: "Answer a question of a goal",
      description:
        "An answer as `POST /runs/{id}/answers` takes it; `run_id` names the run below the goal that asks, where it is not the goal itself.",
      body: { schema: GoalAnswerBody, required: true, example: { question_id: "plan", option: "allow" } },
      responses: {
        200: { description: "The run that asked, with the answer.", schema: RunDocument },
        400: "The body is malformed, or what it says is no answer to the question.",
        403: "Somebody else is to answer.",
        404: "There is no such goal, the run does not work for it, or it never asked this (`QUESTION_NOT_FOUND`).",
        409: "Somebody else was faster, or the question was withdrawn or has expired (`ANSWERED_ALREADY`); the run has ended (`RUN_ENDED`).",
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const { run_id: asking, ...answer } = await readBody(call.request, GoalAnswerBody, bodyLimitBytes);
        const { id } = await goals.get(pathParam(call, "id"));
        call.runId = asking ?? id;
        if (asking !== undefined && asking !== id) await requireBelow(call, asking, id);
        return jsonResponse(await call.hub.answer(call.runId, toAnswer(answer)));
      },
    },
    {
      id: "rerunGoal",
      at: "POST /goals/{id}/rerun",
      scope: "goals:write",
      summary: "Do a part of a goal again",
      description:
        "A new goal with the same plan: the tasks that are named, and everything that depends on them, are done again, with other inputs or agents where that is said; the rest is taken over.",
      headers: SUBMIT_HEADERS,
      body: {
        schema: RerunRequestBody,
        required: false,
        example: { from: ["summary"], changes: { summary: { agent: "writer" } } },
      },
      responses: {
        202: { description: "The new goal.", schema: GoalDocument, headers: CREATED_HEADERS },
        400: MALFORMED,
        404: NOT_FOUND,
        409: "The idempotency key was used with another body.",
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const request = await readOptionalBody(call.request, RerunRequestBody, bodyLimitBytes);
        const done = await goals.rerun(pathParam(call, "id"), request, submitOptions(call), call.caller);
        return created(call, done);
      },
    },
    {
      id: "diffGoals",
      at: "GET /goals/{id}/diff/{other}",
      scope: "goals:read",
      unbound: true,
      summary: "Compare two goals",
      responses: {
        200: { description: "What differs, task by task.", schema: DiffDocument },
        404: NOT_FOUND,
      },
      handle: async (call) => jsonResponse(await goals.diff(pathParam(call, "id"), pathParam(call, "other"))),
    },
    {
      id: "exportGoal",
      at: "GET /goals/{id}/suite",
      scope: "goals:read",
      unbound: true,
      summary: "Make a suite of a goal",
      description:
        "What failed, as cases of a suite in YAML; the whole goal where nothing did, or `whole` says so.",
      query: SuiteQuery,
      responses: {
        200: "The suite.",
        400: "The query is malformed.",
        404: NOT_FOUND,
      },
      async handle(call) {
        const { tasks, whole } = readQuery(call.request.url, SuiteQuery);
        const suite = await goals.exportSuite(pathParam(call, "id"), {
          ...(tasks !== undefined && { tasks: tasks.split(",") }),
          ...(whole === "true" && { whole: true }),
        });
        return new Response(suite, { headers: { "content-type": "application/yaml; charset=utf-8" } });
      },
    },
  ]);
}

function statusesOf(text: string): RunStatus[] {
  return text.split(",").map((word) => {
    const found = RUN_STATUSES.find((status) => status === word);
    if (found === undefined)
      throw new ProctorError("INVALID_REQUEST", `query field status: there is no status "${word}"`);
    return found;
  });
}

/** Throws RUN_NOT_FOUND for a run that does not work for this goal: a scope for goals does not cover other runs. */
async function requireBelow(call: Call, runId: string, goalId: string): Promise<void> {
  for (let at: string | null = runId; at !== goalId;) {
    if (at === null)
      throw new ProctorError("RUN_NOT_FOUND", `there is no run ${runId} below goal ${goalId}`, {
        details: { run_id: runId },
      });
    ({ parent_id: at } = await call.hub.run(at));
  }
}
