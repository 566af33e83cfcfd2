// Runs: ask for one, list them, read one, remove one.
import type { z } from "zod";
import { ProctorError } from "../../core/errors.ts";
import { DEFAULT_PAGE_LIMIT } from "../../core/page.ts";
import type { RunRequest, SubmitOptions } from "../../core/ports/hub.ts";
import type { RunQuery } from "../../core/ports/store.ts";
import type { Run } from "../../core/run.ts";
import { originWithin } from "../../core/trace.ts";
import { suiteOfRun } from "../../core/suite-of-run.ts";
import { writeYaml } from "../../runtime/yaml/write-yaml.ts";
import { MAX_KEY_CHARS, readIdempotencyKey } from "../../runtime/http/idempotency-key.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import { runParam, type Call } from "../call.ts";
import { readBody } from "../read-body.ts";
import { routesOf, type Route } from "../route.ts";
import {
  NewRunQueryParams,
  RunBody,
  RunDocument,
  RunList,
  RunQueryParams,
  withMessage,
} from "../schemas/run.ts";
import { BODY_REFUSALS, RUN_NOT_FOUND } from "./refusals.ts";

export function runRoutes(bodyLimitBytes: number): Route[] {
  return routesOf({ tag: "Runs" }, [
    {
      id: "createRun",
      at: "POST /runs",
      scope: "runs:write",
      summary: "Run a task on an agent",
      description:
        "Answers as soon as the run is safely stored; watch it at `/runs/{id}/events`. Send an `Idempotency-Key` to be able to repeat the request after a lost answer without starting a second run.",
      query: NewRunQueryParams,
      headers: SUBMIT_HEADERS,
      body: {
        schema: RunBody,
        required: true,
        example: {
          agent: "atp+stdio:python agent.py",
          task: { description: "Summarise report.txt in three sentences." },
          constraints: { timeout_seconds: 120, max_steps: 20 },
        },
      },
      responses: {
        202: { description: "The run, stored and queued.", schema: RunDocument, headers: CREATED_HEADERS },
        400: "The body is malformed; `details` name the fields.",
        404: "There is no agent of this name, or no run that `follows` or `parent_id` names.",
        409: "The idempotency key was used with another body; the run that is followed has not ended (`ILLEGAL_TRANSITION`), or the parent has (`RUN_ENDED`); the conversation has a run at work (`CONVERSATION_BUSY`), or the agent cannot go on with one (`NOT_SUPPORTED`).",
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const { request, hub } = call;
        const options = submitOptions(call);
        const { start } = request.url.includes("?") ? readQuery(request.url, NewRunQueryParams) : {};
        const body = withQuestions(await readBody(request, RunBody, bodyLimitBytes));
        const stored = await (start === "false" ? hub.prepare(body, options) : hub.submit(body, options));
        return createdResponse(call, stored, 202);
      },
    },
    {
      id: "listRuns",
      at: "GET /runs",
      scope: "runs:read",
      summary: "List runs",
      query: RunQueryParams,
      responses: {
        200: { description: "A page of runs.", schema: RunList },
        400: "A filter or the cursor is wrong.",
      },
      async handle(call) {
        const { page, size, violations, ...query } = readQuery(call.request.url, RunQueryParams);
        if (page === undefined && size === undefined) {
          const flagged = violations === undefined ? {} : { violations: true };
          return jsonResponse(await call.hub.runs({ ...query, ...flagged } as RunQuery));
        }
        const { status, agent, ...rest } = query;
        refuseFilters({ ...rest, violations });
        const numbered = {
          page: page ?? 1,
          size: size ?? DEFAULT_PAGE_LIMIT,
          ...(status && { status }),
          ...(agent !== undefined && { agent }),
        };
        return jsonResponse({ ...(await call.hub.runsPage(numbered)), next_cursor: null });
      },
    },
    {
      id: "getRun",
      at: "GET /runs/{id}",
      scope: "runs:read",
      summary: "Read a run",
      responses: {
        200: { description: "The run as it is now.", schema: RunDocument },
        404: RUN_NOT_FOUND,
      },
      handle: async (call) => jsonResponse(await call.hub.run(runParam(call))),
    },
    {
      id: "getRunSuite",
      at: "GET /runs/{id}/suite",
      scope: "runs:read",
      summary: "Make a suite of a run",
      description:
        "A suite of one test, in YAML: the same task for the same agent, what its tools answered as mocks, and what it produced as checks to be edited.",
      responses: {
        200: "The suite.",
        404: RUN_NOT_FOUND,
        409: "The run has not ended.",
      },
      async handle(call) {
        const suite = writeYaml(await suiteOfRun(call.hub, runParam(call)));
        return new Response(suite, { headers: { "content-type": "application/yaml; charset=utf-8" } });
      },
    },
    {
      id: "deleteRun",
      at: "DELETE /runs/{id}",
      scope: "runs:write",
      summary: "Remove a run",
      description:
        "With its log, its artifacts and their bytes. One that has not ended is cancelled first, and the answer waits for its end.",
      responses: {
        204: "It is gone.",
        404: RUN_NOT_FOUND,
        409: "It is in flight in another process.",
      },
      async handle(call) {
        await call.hub.remove(runParam(call));
        return emptyResponse(204);
      },
    },
  ]);
}

/** Clients of this API can be asked: without other options the agent's questions wait for their answers. */
function withQuestions(body: z.infer<typeof RunBody>): RunRequest {
  const { options = {}, ...rest } = withMessage(body);
  const { conversation = {}, ...others } = options;
  const asking = conversation === null ? others : { conversation, ...others };
  // RunBody is RunRequest as a schema; JSON has no `undefined`, so no optional field holds one.
  return { options: asking, ...rest } as RunRequest;
}

/** The headers of requests that create a run. */
export const SUBMIT_HEADERS = {
  "Idempotency-Key": `1 to ${MAX_KEY_CHARS} characters. The same key and body return the first run; another body is 409.`,
  traceparent: "W3C trace context; the run joins this trace.",
};

export const CREATED_HEADERS = {
  Location: "Where the run is.",
  "Idempotency-Replayed": "`true` when this run was created by an earlier request.",
};

export function submitOptions(call: Call): SubmitOptions {
  const idempotencyKey = readIdempotencyKey(call.request);
  const origin = originWithin(call.traceId, call.request.headers.get("traceparent"));
  return { ...origin, ...(idempotencyKey !== undefined && { idempotencyKey }) };
}

export function createdResponse(
  call: Call,
  { run, created }: { run: Run; created: boolean },
  status: number,
): Response {
  call.runId = run.id;
  const location = `/runs/${run.id}`;
  return jsonResponse(run, status, created ? { location } : { location, "idempotency-replayed": "true" });
}

function refuseFilters(query: object): void {
  const [name] = Object.entries(query).find(([, value]) => value !== undefined) ?? [];
  if (name === undefined) return;
  const message = "cannot be combined with page and size";
  throw new ProctorError("INVALID_REQUEST", `query field ${name}: ${message}`, {
    details: [{ path: name, message }],
  });
}
