// The control API of a scripted agent, below `/__control`: what tests and fixtures in other processes tell it, and ask it about. Documented in
// docs/reference/scripted-agent.md.
import { z } from "zod";
import { ProctorError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { readJson } from "../../runtime/http/read-json.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { emptyResponse, errorResponse, jsonResponse } from "../../runtime/http/respond.ts";
import type { Route } from "../../runtime/http/route.ts";
import { serveRoutes } from "../../runtime/http/serve-routes.ts";
import { validate } from "../../runtime/http/validate.ts";
import { checkValue } from "../../runtime/yaml/findings.ts";
import { A2aError } from "../../protocols/a2a/errors.ts";
import type { CapturedFilter } from "./captured-requests.ts";
import type { ScriptedAgentHandle } from "./assemble-agent.ts";
import { readFaults } from "./script.ts";
import type { ScriptSchemas } from "./script-schema.ts";
import { CONTROL_PATH, MAX_BODY_BYTES } from "./scripted-app.ts";
import { withinTime } from "../../runtime/time/within-time.ts";

const MAX_WAIT_MS = 600_000;
const DEFAULT_WAIT_MS = 10_000;
const MAX_ADVANCE_MS = 31_536_000_000;

const caseQuery = z.strictObject({ test_case_id: z.string().optional() });
const requestsQuery = z.strictObject({
  test_case_id: z.string().optional(),
  operation: z.string().optional(),
});
const waitQuery = z.strictObject({
  ...requestsQuery.shape,
  count: z.number().int().min(1),
  timeout_ms: z.number().int().min(0).max(MAX_WAIT_MS).optional(),
});
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

type Answer = (request: Request, params: Readonly<Record<string, string>>) => Promise<Response> | Response;

export function createControl(
  agent: ScriptedAgentHandle,
  schemas: ScriptSchemas,
): (request: Request) => Promise<Response> {
  const { captured, source, clock } = agent;
  const list = (filter: CapturedFilter): Response =>
    jsonResponse({ items: captured.list(filter), next_cursor: null });

  const routes: Route[] = [
    route("GET", "/requests", "List the requests that were captured.", ({ url }) =>
      list(filterOf(readQuery(url, requestsQuery))),
    ),
    route(
      "GET",
      "/requests/wait",
      "Wait until there are so many requests, then list them.",
      async (request) => {
        const {
          count,
          timeout_ms: timeoutMs = DEFAULT_WAIT_MS,
          ...filter
        } = readQuery(request.url, waitQuery);
        const items = await withinTime(request.signal, timeoutMs, (signal) =>
          captured.wait(count, filterOf(filter), signal),
        );
        return jsonResponse({ items, next_cursor: null });
      },
    ),
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
    route("GET", "/scripts", "List the names of the scripts.", () =>
      jsonResponse({ items: source.names(), next_cursor: null }),
    ),
    route(
      "PUT",
      "/scripts/{name}",
      "Put a script before all others, or in the place of its predecessor.",
      async (request, { name = "" }) => {
        const checked = checkValue(schemas.rule, await bodyOf(request), "the body");
        if (!checked.ok) {
          const problems = checked.findings.map(({ path, message, hint }) => [
            path.map(String).join("."),
            message,
            hint ?? "",
          ]);
          throw new ProctorError(
            "INVALID_REQUEST",
            problems.map((parts) => parts.filter((part) => part !== "").join("  ")).join("\n"),
          );
        }
        source.put(name, checked.value);
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
  const served = serveRoutes({
    routes,
    tags: { control: "What tests tell a scripted agent." },
    hint: "docs/reference/scripted-agent.md lists the paths of the control API",
    refuse: (thrown, headers) => errorResponse(asProctorError(thrown), headers),
  });
  return (request) => served.fetch(request, { traceId: "" });
}

function route(method: Route["method"], path: string, summary: string, answer: Answer): Route {
  return {
    id: `${method} ${path}`,
    method,
    path: `${CONTROL_PATH}${path}`,
    tag: "control",
    summary,
    responses: { 200: { description: "Done." } },
    handle: ({ request, params }) => answer(request, params),
  };
}

/** Tests of any language may leave the media type out: no web page reaches this. */
function bodyOf(request: Request): Promise<Json> {
  return readJson(request, { limitBytes: MAX_BODY_BYTES, anyType: true });
}

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

function asProctorError(thrown: unknown): ProctorError {
  if (ProctorError.is(thrown)) return thrown;
  if (thrown instanceof A2aError) return new ProctorError("INVALID_REQUEST", thrown.message);
  throw thrown;
}
