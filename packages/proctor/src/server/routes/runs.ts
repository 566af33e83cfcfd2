// Runs: ask for one, list them, read one.
import { ProctorError } from "../../core/errors.ts";
import type { Hub, RunRequest } from "../../core/ports/hub.ts";
import type { RunQuery } from "../../core/ports/store.ts";
import { readJson } from "../read-json.ts";
import { readQuery } from "../read-query.ts";
import { jsonResponse } from "../respond.ts";
import { runParam } from "../call.ts";
import type { Route } from "../route.ts";
import { ErrorDocument } from "../schemas/common.ts";
import { RunBody, RunDocument, RunList, RunQueryParams } from "../schemas/run.ts";
import { validate } from "../validate.ts";

const MAX_KEY_LENGTH = 255;

export function runRoutes(hub: Hub, bodyLimitBytes: number): Route[] {
  return [
    {
      method: "POST",
      path: "/runs",
      tag: "Runs",
      summary: "Run a task on an agent",
      description:
        "Answers as soon as the run is safely stored; watch it at `/runs/{id}/events`. Send an `Idempotency-Key` to be able to repeat the request after a lost answer without starting a second run.",
      headers: {
        "Idempotency-Key":
          "1 to 255 characters. The same key and body return the first run; another body is 409.",
        traceparent: "W3C trace context; the run joins this trace.",
      },
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
        202: {
          description: "The run, stored and queued.",
          schema: RunDocument,
          headers: {
            Location: "Where the run is.",
            "Idempotency-Replayed": "`true` when this run was created by an earlier request.",
          },
        },
        400: { description: "The body is malformed; `details` name the fields.", schema: ErrorDocument },
        404: { description: "There is no agent of this name.", schema: ErrorDocument },
        409: { description: "The idempotency key was used with another body.", schema: ErrorDocument },
        413: { description: "The body is too large.", schema: ErrorDocument },
        415: { description: "The body is not `application/json`.", schema: ErrorDocument },
      },
      async handle(call) {
        const { request } = call;
        const idempotencyKey = readKey(request.headers.get("idempotency-key"));
        const body = validate(RunBody, await readJson(request, bodyLimitBytes), "body");
        // RunBody is RunRequest as a schema; JSON has no `undefined`, so no optional field holds one.
        const { run, created } = await hub.submit(body as RunRequest, {
          traceId: call.traceId,
          ...(idempotencyKey !== undefined && { idempotencyKey }),
        });
        call.runId = run.id;
        const location = `/runs/${run.id}`;
        return jsonResponse(
          call,
          run,
          202,
          created ? { location } : { location, "idempotency-replayed": "true" },
        );
      },
    },
    {
      method: "GET",
      path: "/runs",
      tag: "Runs",
      summary: "List runs",
      query: RunQueryParams,
      responses: {
        200: { description: "A page of runs.", schema: RunList },
        400: { description: "A filter or the cursor is wrong.", schema: ErrorDocument },
      },
      async handle(call) {
        const query = readQuery(call.request.url, RunQueryParams);
        return jsonResponse(call, await hub.runs(query as RunQuery));
      },
    },
    {
      method: "GET",
      path: "/runs/{id}",
      tag: "Runs",
      summary: "Read a run",
      responses: {
        200: { description: "The run as it is now.", schema: RunDocument },
        404: { description: "There is no such run.", schema: ErrorDocument },
      },
      async handle(call) {
        return jsonResponse(call, await hub.run(runParam(call)));
      },
    },
  ];
}

function readKey(header: string | null): string | undefined {
  if (header === null) return undefined;
  if (header.length >= 1 && header.length <= MAX_KEY_LENGTH) return header;
  throw new ProctorError(
    "INVALID_REQUEST",
    `the Idempotency-Key header must have 1 to ${MAX_KEY_LENGTH} characters`,
  );
}
