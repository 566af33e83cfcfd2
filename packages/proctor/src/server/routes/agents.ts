// The agents that the hub knows by name.
import { parseAddress } from "../../core/address.ts";
import { AGENT_NAME, type AgentSpec } from "../../core/agent.ts";
import { ProctorError } from "../../core/errors.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { z } from "zod";
import { emptyResponse, jsonResponse } from "../../runtime/http/respond.ts";
import { pathParam } from "../call.ts";
import { pageRequest } from "../page-request.ts";
import { readBody } from "../read-body.ts";
import { created, routesOf, type Route } from "../route.ts";
import { AgentBody, AgentDocument, AgentList, AgentName, NewAgentBody } from "../schemas/agent.ts";
import { PageQuery } from "../schemas/common.ts";
import { BAD_PAGE, BODY_REFUSALS } from "./refusals.ts";

const NOT_FOUND = "There is no such agent.";
const MALFORMED = "The body is malformed.";
const EXAMPLE = { address: "atp+stdio:python agent.py" };

export function agentRoutes(bodyLimitBytes: number): Route[] {
  return routesOf({ tag: "Agents" }, [
    {
      id: "listAgents",
      at: "GET /agents",
      scope: "agents:read",
      summary: "List agents",
      query: PageQuery,
      responses: {
        200: { description: "A page of agents, by name.", schema: AgentList },
        400: BAD_PAGE,
      },
      handle: async (call) => jsonResponse(await call.hub.agents(pageRequest(call))),
    },
    {
      id: "registerAgent",
      at: "POST /agents",
      scope: "agents:write",
      summary: "Register an agent",
      body: { schema: NewAgentBody, required: true, example: { name: "summariser", ...EXAMPLE } },
      responses: {
        201: created("The agent.", AgentDocument, "agent"),
        400: MALFORMED,
        409: "An agent of this name exists.",
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const body = await readBody(call.request, NewAgentBody, bodyLimitBytes);
        const agent = await call.hub.addAgent({ ...toSpec(body), name: body.name });
        return jsonResponse(agent, 201, { location: `/agents/${agent.name}` });
      },
    },
    {
      id: "getAgent",
      at: "GET /agents/{name}",
      scope: "agents:read",
      summary: "Read an agent",
      responses: { 200: { description: "The agent.", schema: AgentDocument }, 404: NOT_FOUND },
      handle: async (call) => jsonResponse(await call.hub.agent(pathParam(call, "name"))),
    },
    {
      id: "putAgent",
      at: "PUT /agents/{name}",
      scope: "agents:write",
      summary: "Register or replace an agent",
      params: { name: AgentName },
      body: { schema: AgentBody, required: true, example: EXAMPLE },
      responses: {
        200: { description: "The agent, replaced.", schema: AgentDocument },
        201: { description: "The agent, new.", schema: AgentDocument },
        400: MALFORMED,
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const { request } = call;
        const name = pathParam(call, "name");
        if (!AGENT_NAME.test(name))
          throw new ProctorError("INVALID_REQUEST", "the path does not name an agent");
        const body = await readBody(request, AgentBody, bodyLimitBytes);
        const existed = await exists(call.hub, name);
        const agent = await call.hub.addAgent({ ...toSpec(body), name }, { replace: true });
        return jsonResponse(agent, existed ? 200 : 201, { location: `/agents/${agent.name}` });
      },
    },
    {
      id: "deleteAgent",
      at: "DELETE /agents/{name}",
      scope: "agents:write",
      summary: "Remove an agent",
      description: "Its runs stay.",
      responses: { 204: "It is gone.", 404: NOT_FOUND },
      async handle(call) {
        await call.hub.removeAgent(pathParam(call, "name"));
        return emptyResponse(204);
      },
    },
  ]);
}

/** Returns the long form of the agent, whichever form was sent. */
function toSpec(body: z.infer<typeof AgentBody>): AgentSpec {
  // JSON has no `undefined`, so no optional field holds one.
  if (!("address" in body)) return body as AgentSpec;
  const { address, ...settings } = body;
  return { ...parseAddress(address), ...(settings as Partial<AgentSpec>) };
}

async function exists(hub: Hub, name: string): Promise<boolean> {
  try {
    await hub.agent(name);
    return true;
  } catch (error) {
    if (ProctorError.is(error) && error.code === "AGENT_NOT_FOUND") return false;
    throw error;
  }
}
