// The registry of agents: who is there, who can do what, and how agents register themselves. Document 004, section 3.
import type { PageRequest } from "../../core/page.ts";
import type { Registry } from "../../core/ports/registry.ts";
import type { AgentQuery, AgentSearch, Registration } from "../../core/registration.ts";
import { readJson } from "../../runtime/http/read-json.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import { RegistrationBody, RegistrationChanges, SearchBody } from "../../runtime/schemas/registration.ts";
import { pathParam } from "../call.ts";
import { created, routesOf, type Route } from "../route.ts";
import {
  AgentListQuery,
  RegisteredAgentDocument,
  RegisteredAgentList,
  RegisteredDocument,
  SearchResultDocument,
} from "../schemas/registration.ts";
import { BAD_PAGE, BODY_REFUSALS } from "./refusals.ts";

export const AGENT_NOT_FOUND = "There is no such agent.";
export const NOT_YOURS = "The token lacks the scope, or is another agent's.";
const MALFORMED = "The body is malformed, or a schema in it cannot be applied.";

const EXAMPLE = {
  name: "summariser",
  endpoint: "a2a+https://agents.example.com/summariser",
  version: "1.4.0",
  capabilities: [
    {
      name: "summarise",
      description: "Shortens a text",
      parameters: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
    },
  ],
};

export function registryRoutes(registry: Registry, bodyLimitBytes: number): Route[] {
  const body = (request: Request) => readJson(request, { limitBytes: bodyLimitBytes });
  return routesOf({ tag: "Registry" }, [
    {
      id: "registerItself",
      at: "POST /registry/agents",
      scope: "agents:register",
      summary: "Register an agent",
      description:
        "Without `endpoint` the agent is reached through its inbox of envelopes. A plain `http(s)` URL is asked to describe itself: an A2A card, the tools of an MCP server, or an ATP description become capabilities. The answer has the interval of its beats, and on a hub with tokens the agent's own token.",
      body: { schema: RegistrationBody, required: true, example: EXAMPLE },
      responses: {
        200: { description: "It was registered before; this is a new instance.", schema: RegisteredDocument },
        201: created("It is registered.", RegisteredDocument, "agent"),
        400: MALFORMED,
        403: "The token may not register this name, this address, or programs.",
        409: "The name is another agent's.",
        ...BODY_REFUSALS,
      },
      async handle(call) {
        // The registry checks it, because it does not only come in here.
        const asked = (await body(call.request)) as unknown as Registration;
        const registered = await registry.register(asked, call.caller);
        const { created, agent } = registered;
        return jsonResponse(registered, created ? 201 : 200, { location: `/registry/agents/${agent.name}` });
      },
    },
    {
      id: "listRegisteredAgents",
      at: "GET /registry/agents",
      scope: "agents:read",
      summary: "List agents with their health",
      query: AgentListQuery,
      responses: {
        200: { description: "A page of agents, by name.", schema: RegisteredAgentList },
        400: BAD_PAGE,
      },
      async handle(call) {
        const { label, ...query } = readQuery(call.request.url, AgentListQuery);
        // JSON has no `undefined`, so no optional field holds one.
        const asked = { ...query, ...(label && { labels: labelsOf(label) }) } as AgentQuery & PageRequest;
        return jsonResponse(await registry.list(asked));
      },
    },
    {
      id: "searchAgents",
      at: "POST /registry/search",
      scope: "agents:read",
      summary: "Find agents that can do something",
      description:
        "By capability, version, and whether this very input fits its `parameters`. Best first: by state, then by load. Agents that have the capability and were left out are named with the reason.",
      body: {
        schema: SearchBody,
        required: true,
        example: { capability: "summarise", input: { text: "Once upon a time" } },
      },
      responses: {
        200: { description: "Who can do it.", schema: SearchResultDocument },
        400: MALFORMED,
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const asked = (await body(call.request)) as unknown as AgentSearch;
        return jsonResponse(await registry.search(asked));
      },
    },
    {
      id: "getRegisteredAgent",
      at: "GET /registry/agents/{name}",
      scope: "agents:read",
      summary: "Read an agent with its health",
      responses: {
        200: { description: "The agent.", schema: RegisteredAgentDocument },
        404: AGENT_NOT_FOUND,
      },
      handle: async (call) => jsonResponse(await registry.get(pathParam(call, "name"))),
    },
    {
      id: "updateRegistration",
      at: "PATCH /registry/agents/{name}",
      scope: "agents:register",
      summary: "Change what is registered",
      description: "What is not given stays.",
      body: { schema: RegistrationChanges, required: true, example: { stage: "retired" } },
      responses: {
        200: { description: "The agent.", schema: RegisteredAgentDocument },
        400: MALFORMED,
        403: NOT_YOURS,
        404: AGENT_NOT_FOUND,
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const changes = (await body(call.request)) as unknown as Partial<Registration>;
        return jsonResponse(await registry.update(pathParam(call, "name"), changes, call.caller));
      },
    },
    {
      id: "deregisterAgent",
      at: "DELETE /registry/agents/{name}",
      scope: "agents:register",
      summary: "Remove an agent from the registry",
      description: "Its runs stay.",
      responses: { 204: "It is gone.", 403: NOT_YOURS, 404: AGENT_NOT_FOUND },
      async handle(call) {
        await registry.deregister(pathParam(call, "name"), call.caller);
        return emptyResponse(204);
      },
    },
  ]);
}

function labelsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
}
