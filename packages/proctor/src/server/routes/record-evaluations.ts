// How clients record evaluations: begin, report what settled, end. The service checks the bodies, because they do not only come in over HTTP.
import type { EvaluationEnd, EvaluationRecord, NewEvaluation } from "../../core/evaluation.ts";
import type { Evaluations } from "../../core/ports/evaluations.ts";
import { readJson } from "../../runtime/http/read-json.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import {
  EvaluationEndBody,
  EvaluationRecordBody,
  NewEvaluationBody,
} from "../../runtime/schemas/evaluation.ts";
import { pathParam } from "../call.ts";
import { created, routesOf, type Route } from "../route.ts";
import { EvaluationDocument } from "../schemas/evaluation.ts";
import { EVALUATION_NOT_FOUND } from "./evaluations.ts";
import { BODY_REFUSALS } from "./refusals.ts";

const MALFORMED = "The body is malformed; `details` name the fields.";
const NOT_YOURS = "Another client records this evaluation.";
const SHARED = { scope: "runs:write", unbound: true, tag: "Evaluations" } as const;

const OWNER = "0192f0c1-2d3e-7f4a-8b5c-6d7e8f901234";
const TOTALS = {
  cases: 2,
  passed: 1,
  failed: 1,
  unevaluated: 0,
  skipped: 0,
  runs: 2,
  total_tokens: 812,
  cost_usd: 0.004,
};
const EXAMPLE = {
  id: "0192f0c1-2d3e-7f4a-8b5c-6d7e8f905678",
  owner: OWNER,
  name: "smoke",
  suites: [{ name: "smoke", file: "suites/smoke.yaml" }],
  agents: ["writer"],
  planned: { cases: 2, runs: 2 },
  skipped: 0,
  metadata: { git_commit: null, git_branch: "main", host: "laptop", proctor_version: "0.1.0" },
};

export function recordEvaluationRoutes(evaluations: Evaluations, bodyLimitBytes: number): Route[] {
  const limit = { limitBytes: bodyLimitBytes };
  return routesOf(SHARED, [
    {
      id: "beginEvaluation",
      at: "POST /evaluations",
      summary: "Begin an evaluation",
      description:
        "Or continue one that was interrupted, with `resume`. The same body again is answered with the same evaluation. The client says at least once a minute that it is there; otherwise the evaluation counts as interrupted.",
      body: { schema: NewEvaluationBody, required: true, example: EXAMPLE },
      responses: {
        201: created("The evaluation.", EvaluationDocument, "evaluation"),
        400: MALFORMED,
        409: "There is one of this id that is not to be continued, or that is being recorded.",
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const body = (await readJson(call.request, limit)) as unknown as NewEvaluation;
        const begun = await evaluations.begin(body, call.caller);
        return jsonResponse(begun, 201, { location: `/evaluations/${begun.id}` });
      },
    },
    {
      id: "recordEvaluation",
      at: "POST /evaluations/{id}/records",
      summary: "Record what has settled, or say that the client is there",
      body: { schema: EvaluationRecordBody, required: true, example: { owner: OWNER, totals: TOTALS } },
      responses: {
        200: { description: "The evaluation.", schema: EvaluationDocument },
        400: MALFORMED,
        404: EVALUATION_NOT_FOUND,
        409: NOT_YOURS,
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const body = (await readJson(call.request, limit)) as unknown as EvaluationRecord;
        return jsonResponse(await evaluations.record(pathParam(call, "id"), body));
      },
    },
    {
      id: "endEvaluation",
      at: "POST /evaluations/{id}/end",
      summary: "End an evaluation",
      body: {
        schema: EvaluationEndBody,
        required: true,
        example: {
          owner: OWNER,
          status: "completed",
          stopped: null,
          exit_code: 1,
          totals: TOTALS,
          comparison: null,
        },
      },
      responses: {
        200: { description: "The evaluation.", schema: EvaluationDocument },
        400: MALFORMED,
        404: EVALUATION_NOT_FOUND,
        409: NOT_YOURS,
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const body = (await readJson(call.request, limit)) as unknown as EvaluationEnd;
        return jsonResponse(await evaluations.end(pathParam(call, "id"), body));
      },
    },
  ]);
}
