// Evaluations: what suites found, live and over time. How clients record them is in record-evaluations.ts.
import type { PlacedEvaluationEvent } from "../../core/evaluation.ts";
import { ProctorError } from "../../core/errors.ts";
import type { PageRequest } from "../../core/page.ts";
import type { CaseQuery, EvaluationQuery, Evaluations, HistoryQuery } from "../../core/ports/evaluations.ts";
import { encodeSse } from "../../runtime/http/encode-sse.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import { pathParam, type Call } from "../call.ts";
import { EVENT_STREAM_HEADERS, type LiveStreams } from "../live-streams.ts";
import { routesOf, type Route } from "../route.ts";
import {
  CaseHistory,
  CaseQueryParams,
  ComparisonDocument,
  EvaluationCaseList,
  EvaluationDocument,
  EvaluationEventDocument,
  EvaluationList,
  EvaluationMatrixDocument,
  EvaluationQueryParams,
  EvaluationStreamParams,
  HistoryQueryParams,
  MatrixQueryParams,
  RemoveQueryParams,
} from "../schemas/evaluation.ts";

const BAD_QUERY = "A filter, the cursor or the limit is wrong.";
export const EVALUATION_NOT_FOUND = "There is no such evaluation.";

/** Evaluations belong to several agents, so a token that is bound to one of them is refused. */
const SHARED = { scope: "runs:read", unbound: true, tag: "Evaluations" } as const;

export function evaluationRoutes(evaluations: Evaluations, streams: LiveStreams): Route[] {
  return routesOf(SHARED, [
    {
      id: "listEvaluations",
      at: "GET /evaluations",
      summary: "List evaluations",
      query: EvaluationQueryParams,
      responses: {
        200: { description: "A page of evaluations, newest first.", schema: EvaluationList },
        400: BAD_QUERY,
      },
      async handle({ request }) {
        // Absent fields are left out by the reader of queries. The same holds below.
        const query = readQuery(request.url, EvaluationQueryParams) as EvaluationQuery;
        return jsonResponse(await evaluations.list(query));
      },
    },
    {
      id: "getEvaluation",
      at: "GET /evaluations/{id}",
      summary: "Read an evaluation",
      responses: {
        200: { description: "The evaluation as it is now.", schema: EvaluationDocument },
        404: EVALUATION_NOT_FOUND,
      },
      handle: async (call) => jsonResponse(await evaluations.get(pathParam(call, "id"))),
    },
    {
      id: "listEvaluationCases",
      at: "GET /evaluations/{id}/cases",
      summary: "List the cases of an evaluation",
      query: CaseQueryParams,
      responses: {
        200: {
          description: "A page of cases that have settled, with their runs.",
          schema: EvaluationCaseList,
        },
        400: BAD_QUERY,
        404: EVALUATION_NOT_FOUND,
      },
      async handle(call) {
        const query = readQuery(call.request.url, CaseQueryParams) as CaseQuery;
        return jsonResponse(await evaluations.cases(pathParam(call, "id"), query));
      },
    },
    {
      id: "getEvaluationMatrix",
      at: "GET /evaluations/{id}/matrix",
      summary: "Read an evaluation as a table of tests and agents",
      query: MatrixQueryParams,
      responses: {
        200: { description: "The table, in the order of the plan.", schema: EvaluationMatrixDocument },
        400: BAD_QUERY,
        404: EVALUATION_NOT_FOUND,
      },
      async handle(call) {
        const page = readQuery(call.request.url, MatrixQueryParams) as PageRequest;
        return jsonResponse(await evaluations.matrix(pathParam(call, "id"), page));
      },
    },
    {
      id: "getEvaluationEvents",
      at: "GET /evaluations/{id}/events",
      summary: "Follow an evaluation",
      description:
        "Server-Sent Events: what changed after `Last-Event-ID` (or `after`), then live until the evaluation is completed or removed. A frame holds the state that something has now, so that a reader that was away gets each case once. Each frame's `id` is a position in the order of `GET /events`, which tells of all evaluations with `evaluations=true`. After the last frame of a completed evaluation the answer is 204.",
      query: EvaluationStreamParams,
      headers: { "Last-Event-ID": "The position of the last frame that was seen; wins over `after`." },
      responses: {
        200: { description: "The stream.", frames: EvaluationEventDocument },
        204: "The evaluation is completed, and there is nothing more.",
        400: "`after` or `Last-Event-ID` is wrong.",
        404: EVALUATION_NOT_FOUND,
      },
      handle: (call) => openStream(call, evaluations, streams),
    },
    {
      id: "compareEvaluations",
      at: "GET /evaluations/{id}/compare/{other}",
      summary: "Compare two evaluations",
      description:
        "What got worse from the first to the second, in the words and figures of `proctor compare`.",
      responses: {
        200: { description: "The comparison.", schema: ComparisonDocument },
        404: EVALUATION_NOT_FOUND,
      },
      handle: async (call) =>
        jsonResponse(await evaluations.compare(pathParam(call, "id"), pathParam(call, "other"))),
    },
    {
      id: "deleteEvaluation",
      at: "DELETE /evaluations/{id}",
      scope: "runs:write",
      summary: "Remove an evaluation",
      description: "With its cases. Its runs are kept, unless `runs=true`.",
      query: RemoveQueryParams,
      responses: {
        204: "It is gone.",
        400: BAD_QUERY,
        404: EVALUATION_NOT_FOUND,
        409: "A client records it.",
      },
      async handle(call) {
        const { runs } = readQuery(call.request.url, RemoveQueryParams);
        await evaluations.remove(pathParam(call, "id"), { runs: runs === "true" }, call.caller);
        return emptyResponse(204);
      },
    },
    {
      id: "getCaseHistory",
      at: "GET /cases/{case}/history",
      summary: "Read how a case came out over time",
      description:
        "`case` is its `id`, its `key`, or `suite/test` as one segment of the path (`suite%2Ftest`). Newest first.",
      query: HistoryQueryParams,
      responses: {
        200: { description: "A page of results, one for each evaluation.", schema: CaseHistory },
        400: BAD_QUERY,
      },
      async handle(call) {
        const query = readQuery(call.request.url, HistoryQueryParams) as HistoryQuery;
        return jsonResponse(await evaluations.history(pathParam(call, "case"), query));
      },
    },
  ]);
}

async function openStream(call: Call, evaluations: Evaluations, streams: LiveStreams): Promise<Response> {
  const { request } = call;
  const id = pathParam(call, "id");
  const { after = 0 } = readQuery(request.url, EvaluationStreamParams);
  const seen = request.headers.get("last-event-id") ?? "";
  if (!/^\d{0,15}$/.test(seen))
    throw new ProctorError("INVALID_REQUEST", "Last-Event-ID: expected the position of a frame");
  const start = seen === "" ? after : Number(seen);
  const { status } = await evaluations.get(id);
  if (status === "completed" && start > 0) {
    const rest = await evaluations.follow(id, start, request.signal)[Symbol.asyncIterator]().next();
    if (rest.done === true) return emptyResponse(204);
  }
  const body =
    request.method === "HEAD"
      ? null
      : streams.openPages(call, (signal) => evaluations.follow(id, start, signal), frame);
  return new Response(body, { headers: EVENT_STREAM_HEADERS });
}

/** Returns an unnamed frame, so that `EventSource.onmessage` sees every frame. */
function frame({ position, event }: PlacedEvaluationEvent): string {
  return encodeSse({ id: `${position}`, data: JSON.stringify(event) });
}
