// The control API of a scripted agent, below `/__control`: what tests and fixtures in other processes tell it, and ask it about. Documented in
// docs/reference/scripted-agent.md.
import { z } from "zod";
import { ProctorError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import type { Route } from "../../runtime/http/route.ts";
import { validate } from "../../runtime/http/validate.ts";
import { A2aError } from "../../protocols/a2a/errors.ts";
import {
  answerInTime,
  checked,
  controlRoute as route,
  listed,
  readBody,
  serveControl,
  waitQuery,
} from "../control-api.ts";
import type { CapturedFilter } from "./captured-requests.ts";
import type { ScriptedAgentHandle } from "./assemble-agent.ts";
import { readFaults } from "./script.ts";
import type { ScriptSchemas } from "./script-schema.ts";
import { MAX_BODY_BYTES } from "./scripted-app.ts";

const MAX_ADVANCE_MS = 31_536_000_000;

const caseQuery = z.strictObject({ test_case_id: z.string().optional() });
const requestsQuery = z.strictObject({
  test_case_id: z.string().optional(),
  operation: z.string().optional(),
});
const requestsWaitQuery = z.strictObject({ ...requestsQuery.shape, ...waitQuery.shape });
const primeBody = z.strictObject({
  responses: z.array(z.unknown()),
  test_case_id: z.string().min(1).optional(),
});
const faultsBody = z.strictObject({ faults: z.array(z.string()) });
const clockBody = z.union([
  z.strictObject({ stop: z.literal(true) }),
  z.strictObject({ start: z.literal(true) }),
  z.strictObject({ advance_ms: z.number().int().min(0).max(MAX_ADVANCE_MS) }),
]);

export function createControl(
  agent: ScriptedAgentHandle,
  schemas: ScriptSchemas,
): (request: Request) => Promise<Response> {
  const { captured, source, clock } = agent;
  const routes: Route[] = [
    route("GET", "/requests", "List the requests that were captured.", ({ url }) =>
      listed(captured.list(filterOf(readQuery(url, requestsQuery)))),
    ),
    route("GET", "/requests/wait", "Wait until there are so many requests, then list them.", (request) => {
      const query = readQuery(request.url, requestsWaitQuery);
      return answerInTime(request, query, (limit) => captured.wait(query.count, filterOf(query), limit));
    }),
    route("DELETE", "/requests", "Forget the requests that were captured.", ({ url }) => {
      captured.clear(filterOf(readQuery(url, caseQuery)));
      return emptyResponse(204);
    }),
    route("POST", "/prime", "Give the next task, or those of a test case, their turns.", async (request) => {
      const { responses, test_case_id: testCaseId } = validate(primeBody, await bodyOf(request), "body");
      // What was parsed from JSON is JSON.
      agent.prime(responses as Json, testCaseId);
      return emptyResponse(204);
    }),
    route("GET", "/scripts", "List the names of the scripts.", () => listed(source.names())),
    route(
      "PUT",
      "/scripts/{name}",
      "Put a script before all others, or in the place of its predecessor.",
      async (request, { name = "" }) => {
        source.put(name, checked(schemas.rule, await bodyOf(request)));
        return emptyResponse(204);
      },
    ),
    route("DELETE", "/scripts/{name}", "Remove a script that was put.", (_request, { name = "" }) => {
      if (!source.remove(name))
        throw new ProctorError("NOT_FOUND", `no script was put as ${JSON.stringify(name)}`);
      return emptyResponse(204);
    }),
    route("PUT", "/faults", "Replace the faults of every turn.", async (request) => {
      const { faults } = validate(faultsBody, await bodyOf(request), "body");
      agent.setFaults(readFaults(faults, "faults"));
      return emptyResponse(204);
    }),
    route("POST", "/reset", "Forget tasks, sequences and counts, of one test case or of all.", ({ url }) => {
      agent.clearState(readQuery(url, caseQuery).test_case_id);
      return emptyResponse(204);
    }),
    route("GET", "/clock", "Tell the time of the agent.", () => clockResponse(agent)),
    route("POST", "/clock", "Stop, move or start the clock of the agent.", async (request) => {
      const asked = validate(clockBody, await bodyOf(request), "body");
      if ("stop" in asked) clock.stop();
      else if ("start" in asked) clock.start();
      else if (clock.isVirtual) await clock.advance(asked.advance_ms);
      else
        throw new ProctorError(
          "ILLEGAL_TRANSITION",
          'the clock goes by itself\nstop it first: {"stop": true}',
        );
      return clockResponse(agent);
    }),
  ];
  return serveControl({
    routes,
    whom: "a scripted agent",
    page: "docs/reference/scripted-agent.md",
    errorOf: (thrown) =>
      thrown instanceof A2aError ? new ProctorError("INVALID_REQUEST", thrown.message) : undefined,
  });
}

const bodyOf = (request: Request): Promise<Json> => readBody(request, MAX_BODY_BYTES);

function clockResponse({ clock }: ScriptedAgentHandle): Response {
  return jsonResponse({ now: new Date(clock.now()).toISOString(), stopped: clock.isVirtual });
}

function filterOf(query: {
  test_case_id?: string | undefined;
  operation?: string | undefined;
}): CapturedFilter {
  const { test_case_id: testCaseId, operation } = query;
  return { ...(testCaseId !== undefined && { testCaseId }), ...(operation !== undefined && { operation }) };
}
