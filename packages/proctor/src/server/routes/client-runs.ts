// Runs whose clients do the work, and the steps of all runs.
import { ProctorError } from "../../core/errors.ts";
import type { ClientDraft, ClientRunRequest } from "../../core/ports/hub.ts";
import { runParam } from "../call.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { slicePage } from "../slice-page.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { readBody } from "../read-body.ts";
import { routesOf, type Route } from "../route.ts";
import { PageQuery } from "../schemas/common.ts";
import { ClientRunBody, RunDocument, withMessage } from "../schemas/run.ts";
import { StepsDocument, StepsPage, TellBody } from "../schemas/step.ts";
import { CREATED_HEADERS, createdResponse, SUBMIT_HEADERS, submitOptions } from "./runs.ts";
import { BAD_PAGE, BODY_REFUSALS, RUN_NOT_FOUND } from "./refusals.ts";

export function clientRunRoutes(bodyLimitBytes: number): Route[] {
  return routesOf({ tag: "Steps" }, [
    {
      id: "createClientRun",
      at: "POST /runs/client",
      scope: "runs:write",
      summary: "Open a run that the client carries out",
      description: "It has no agent and is running at once. Tell how it goes at `/runs/{id}/tell`.",
      headers: SUBMIT_HEADERS,
      body: {
        schema: ClientRunBody,
        required: true,
        example: { task: { description: "Summarise report.txt in three sentences." } },
      },
      responses: {
        201: { description: "The run.", schema: RunDocument, headers: CREATED_HEADERS },
        400: "The body is malformed; `details` name the fields.",
        409: "The idempotency key was used with another body.",
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const options = submitOptions(call);
        const body = await readBody(call.request, ClientRunBody, bodyLimitBytes);
        // The schema is ClientRunRequest; JSON has no `undefined`, so no optional field holds one.
        return createdResponse(
          call,
          await call.hub.openClientRun(withMessage(body) as ClientRunRequest, options),
          201,
        );
      },
    },
    {
      id: "tellRun",
      at: "POST /runs/{id}/tell",
      scope: "runs:write",
      summary: "Tell what the client of a run did",
      description: "All of the events are written, with what follows from them, or none.",
      body: {
        schema: TellBody,
        required: true,
        example: {
          events: [
            {
              type: "step.changed",
              payload: {
                step_id: "01890000-0000-7000-8000-000000000000",
                status: "completed",
                output: { rows: 3 },
              },
            },
          ],
        },
      },
      responses: {
        200: { description: "The run and its steps after the events.", schema: StepsDocument },
        400: "The body is malformed, or an agent performs the run.",
        404: "There is no such run or step.",
        409: "The run or a step does not allow this, or something happened since `expected_sequence`.",
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const id = runParam(call);
        const body = await readBody(call.request, TellBody, bodyLimitBytes);
        const expected = body.expected_sequence;
        const told = await call.hub.tell(id, ({ sequence }) => {
          if (expected !== undefined && expected !== sequence) throw changed(id, expected, sequence);
          // The schema is that of the drafts.
          return body.events as readonly ClientDraft[];
        });
        return jsonResponse(told);
      },
    },
    {
      id: "getRunSteps",
      at: "GET /runs/{id}/steps",
      scope: "runs:read",
      summary: "Read a run's steps",
      description:
        "Of any run: those that a client told, or those that an agent's events amount to. Pages with the same `sequence` belong together.",
      query: PageQuery,
      responses: {
        200: { description: "A page of steps, and the run they are of.", schema: StepsPage },
        400: BAD_PAGE,
        404: RUN_NOT_FOUND,
      },
      async handle(call) {
        const page = readQuery(call.request.url, PageQuery);
        const { run, steps, sequence } = await call.hub.steps(runParam(call));
        return jsonResponse({ ...slicePage(steps, page), run, sequence });
      },
    },
  ]);
}

function changed(runId: string, expected: number, last: number): ProctorError {
  return new ProctorError(
    "CHANGED_MEANWHILE",
    `run ${runId} has an event ${last}, and ${expected} was taken for its last\nread it and try again`,
    { details: { run_id: runId, expected_sequence: expected, last_sequence: last } },
  );
}
