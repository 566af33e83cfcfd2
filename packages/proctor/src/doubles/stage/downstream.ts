// The agent behind the gateway in a declarative test: a scripted agent that asks for credentials or fails as the test says, and whose
// requests are remembered.
import type { JsonObject } from "../../core/json.ts";
import { isJsonObject } from "../../core/json.ts";
import type { ObservedRequest } from "../../core/observation.ts";
import { parseObject } from "../../core/parse-object.ts";
import type { DownstreamAuth, StageScript } from "../../core/stage-script.ts";
import type { NodeBindings } from "../../runtime/http/listen.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";

export interface Downstream {
  /** Requests that reached the agent, except those for cards. */
  readonly requests: readonly ObservedRequest[];
  /** Returns the ids of the tasks that the agent was asked to cancel. */
  cancelled(): string[];
  fetch(request: Request, bindings: NodeBindings): Promise<Response>;
}

/** Methods that cancel a task, in both versions. */
const CANCEL = new Set(["tasks/cancel", "CancelTask"]);

/** An agent on HTTP. */
export interface AgentApp {
  fetch(request: Request, bindings: NodeBindings): Promise<Response>;
  endStreams(): void;
}

export function createDownstream(agent: AgentApp, script: StageScript): Downstream {
  const { downstream_agent_auth: auth } = script;
  const requests: ObservedRequest[] = [];
  let failures = script.downstream_http_error ? 1 : 0;

  /** Returns the response that refuses a request before it reaches the agent; undefined for one that passes. */
  function refuse(request: Request): Response | undefined {
    if (auth?.enabled === true && !isAllowed(request, auth, requests.length)) {
      const headers = { "www-authenticate": auth.type === "bearer" ? "Bearer" : "ApiKey" };
      return jsonResponse({ error: "Unauthorized" }, 401, headers);
    }
    if (failures === 0 || !script.downstream_http_error) return undefined;
    failures -= 1;
    const { status_code: status, error_body: body } = script.downstream_http_error;
    return body === null ? new Response(null, { status }) : jsonResponse(body, status);
  }

  return {
    requests,
    cancelled: () => requests.filter(({ method }) => CANCEL.has(method)).map(({ body }) => taskIn(body)),
    async fetch(request, bindings) {
      if (request.method !== "POST") return agent.fetch(request, bindings);
      const text = await request.text();
      requests.push(observed(request, text));
      const { url, method, headers, signal } = request;
      return (
        refuse(request) ?? agent.fetch(new Request(url, { method, headers, body: text, signal }), bindings)
      );
    },
  };
}

function isAllowed(request: Request, auth: DownstreamAuth, count: number): boolean {
  if (auth.should_fail_once && count === 1) return false;
  const { headers } = request;
  return auth.type === "bearer"
    ? headers.get("authorization") === `Bearer ${auth.expected_value}`
    : headers.get("x-api-key") === auth.expected_value;
}

function observed(request: Request, text: string): ObservedRequest {
  const body = parseObject(text) ?? {};
  const { method } = body;
  const { pathname } = new URL(request.url);
  return {
    method: typeof method === "string" ? method : `${request.method} ${pathname}`,
    headers: Object.fromEntries(request.headers),
    body,
  };
}

function taskIn({ params }: JsonObject): string {
  const id = isJsonObject(params) ? params["id"] : undefined;
  return typeof id === "string" ? id : "";
}
