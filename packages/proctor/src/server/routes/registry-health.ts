// How the agents of the registry are: beats, commands, history, and changes as they happen.
import { z } from "zod";
import { ProctorError } from "../../core/errors.ts";
import type { Registry } from "../../core/ports/registry.ts";
import type { Beat, RegistryChange } from "../../core/registration.ts";
import { encodeSse } from "../../runtime/http/encode-sse.ts";
import { readOptionalJson } from "../../runtime/http/read-json.ts";
import { readQuery } from "../../runtime/http/read-query.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { BeatBody, VerdictsBody } from "../../runtime/schemas/registration.ts";
import { pathParam, type Call } from "../call.ts";
import { EVENT_STREAM_HEADERS, type LiveStreams } from "../live-streams.ts";
import { pageRequest } from "../page-request.ts";
import { readBody } from "../read-body.ts";
import { routesOf, type Entry, type Route } from "../route.ts";
import { PageQuery } from "../schemas/common.ts";
import {
  BeatAnswerDocument,
  CommandBody,
  HealthHistory,
  RegisteredAgentDocument,
  RegistryChangeDocument,
  WatchQuery,
} from "../schemas/registration.ts";
import { BAD_PAGE, BODY_REFUSALS } from "./refusals.ts";
import { AGENT_NOT_FOUND, NOT_YOURS } from "./registry.ts";

const HEARTBEAT = "/registry/agents/{name}/heartbeat";

export function registryHealthRoutes(
  registry: Registry,
  streams: LiveStreams,
  bodyLimitBytes: number,
): Route[] {
  async function beat(call: Call): Promise<Response> {
    const body = await readOptionalJson(call.request, { limitBytes: bodyLimitBytes });
    // The registry checks it, because it does not only come in here.
    const given = (body === undefined ? {} : body) as unknown as Beat;
    return jsonResponse(await registry.beat(pathParam(call, "name"), given, call.caller));
  }

  const heartbeat = {
    scope: "agents:register",
    summary: "Say that an agent is alive",
    description:
      "Once in every interval. An agent is online until one and a half intervals after its last beat, suspect until its lease of three ends, then offline. The answer carries commands for the agent.",
    body: { schema: BeatBody, required: false, example: { load: { active: 2, capacity: 8 } } },
    responses: {
      200: {
        description: "How the agent is taken to be, and what it should do.",
        schema: BeatAnswerDocument,
      },
      400: "The beat is malformed.",
      403: NOT_YOURS,
      404: AGENT_NOT_FOUND,
      409: "Another instance registered since, the beat is from the past, or the agent has no lease.",
      429: "More than ten beats within a second.",
      ...BODY_REFUSALS,
    },
    handle: beat,
  } as const satisfies Partial<Entry>;

  return routesOf({ tag: "Registry" }, [
    { id: "beat", at: `POST ${HEARTBEAT}`, ...heartbeat },
    { id: "putBeat", at: `PUT ${HEARTBEAT}`, ...heartbeat },
    {
      id: "commandAgent",
      at: "POST /registry/agents/{name}/commands",
      scope: "agents:write",
      summary: "Tell an agent to drain, stop or resume",
      description:
        "It is kept, and the answers to its beats carry it. A draining agent is not found by searches.",
      body: { schema: CommandBody, required: true, example: { command: "drain" } },
      responses: {
        200: { description: "The agent.", schema: RegisteredAgentDocument },
        400: "There is no such command.",
        403: NOT_YOURS,
        404: AGENT_NOT_FOUND,
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const { command } = await readBody(call.request, CommandBody, bodyLimitBytes);
        return jsonResponse(await registry.command(pathParam(call, "name"), command, call.caller));
      },
    },
    {
      id: "judgeRuns",
      at: "POST /registry/verdicts",
      scope: "runs:write",
      unbound: true,
      summary: "Say what tests found about runs",
      description:
        "Whether runs of registered agents did what was asked of them; `proctor test` says so of every run that it judged. Each run counts once, and so does its agent's `quality`. Tokens that are bound to an agent may not.",
      body: { schema: VerdictsBody, required: true, example: { verdicts: [{ run_id: "…", passed: true }] } },
      responses: {
        200: {
          description: "How many counted: of runs that have ended, of agents that are registered.",
          schema: z.strictObject({ counted: z.int() }).meta({ id: "CountedVerdicts" }),
        },
        400: "The body is malformed.",
        403: NOT_YOURS,
        ...BODY_REFUSALS,
      },
      async handle(call) {
        const { verdicts } = await readBody(call.request, VerdictsBody, bodyLimitBytes);
        return jsonResponse(await registry.judged(verdicts, call.caller));
      },
    },
    {
      id: "getHealthHistory",
      at: "GET /registry/agents/{name}/history",
      scope: "agents:read",
      summary: "Read how an agent was",
      query: PageQuery,
      responses: {
        200: { description: "Changes of its state, newest first.", schema: HealthHistory },
        400: BAD_PAGE,
        404: AGENT_NOT_FOUND,
      },
      async handle(call) {
        return jsonResponse(await registry.history(pathParam(call, "name"), pageRequest(call)));
      },
    },
    {
      id: "watchRegistry",
      at: "GET /registry/watch",
      scope: "agents:read",
      summary: "Follow changes of the registry",
      description:
        "Server-Sent Events: first one `registered` for each agent, then each change as it happens. With `Last-Event-ID` (or `after`) the stream goes on where it was; if that is too long ago, or the hub started again, it begins anew.",
      query: WatchQuery,
      headers: { "Last-Event-ID": "The sequence of the last change that was seen; wins over `after`." },
      responses: {
        200: { description: "The stream.", frames: RegistryChangeDocument },
        400: "`after` or `Last-Event-ID` is wrong.",
      },
      handle(call) {
        const after = placeOf(call);
        const body = streams.openPages(call, (signal) => registry.watch(after, signal), frame);
        return new Response(call.request.method === "HEAD" ? null : body, { headers: EVENT_STREAM_HEADERS });
      },
    },
  ]);
}

function placeOf({ request }: Call): number | undefined {
  const { after } = readQuery(request.url, WatchQuery);
  const seen = request.headers.get("last-event-id") ?? "";
  if (seen === "") return after;
  if (/^\d{1,15}$/.test(seen)) return Number(seen);
  throw new ProctorError("INVALID_REQUEST", "Last-Event-ID: expected the sequence of a change");
}

/** A change without a place to come back to has no id: it is a part of the beginning. */
function frame(change: RegistryChange): string {
  const data = JSON.stringify(change);
  return encodeSse(change.sequence === 0 ? { data } : { id: `${change.sequence}`, data });
}
