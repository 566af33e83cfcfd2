// The official Agent Protocol v1 on /ap: the same tasks as /api in other words. Each resource has a file with its routes.
import { setMaxListeners } from "node:events";
import { z } from "zod";
import { ProctorError } from "../../../../core/errors.ts";
import { jsonResponse } from "../../../../runtime/http/respond.ts";
import type { Route } from "../../../../runtime/http/route.ts";
import { serveRoutes } from "../../../../runtime/http/serve-routes.ts";
import type { Surface } from "../../../protocol.ts";
import { idsOf } from "../shared/schemas.ts";
import { artifactRoutes } from "./artifacts.ts";
import { createOfficial, TAG, type Official, type OfficialOptions } from "./context.ts";
import { refuseOfficial } from "./respond.ts";
import { stepRoutes } from "./steps.ts";
import { taskRoutes } from "./tasks.ts";

const heartbeat: Route = {
  id: "getHeartbeat",
  method: "GET",
  path: "/ap/v1/heartbeat",
  scope: "runs:read",
  tag: TAG,
  summary: "Say whether it is there",
  description: "Asked by clients of AutoGPT's Forge.",
  responses: { 200: { description: "It is.", schema: z.strictObject({ status: z.literal("ok") }) } },
  handle: () => jsonResponse({ status: "ok" }),
};

/** Clients append `/ap/v1` to a base URL, so an agent's own base is `/ap/{agent}`. */
const AGENT_BASES = ["/ap/{agent}/v1", "/ap/{agent}/ap/v1"];

export function createOfficialSurface(options: OfficialOptions): Surface {
  const stopping = new AbortController();
  // Every waiting client listens to it.
  setMaxListeners(0, stopping.signal);
  const official = createOfficial(options, stopping.signal);
  const routes = [...taskRoutes(official), ...stepRoutes(official), ...artifactRoutes(official), heartbeat];
  const served = serveRoutes({
    routes,
    aliases: AGENT_BASES.flatMap((base) => routes.map((route) => ofAgent(official, route, base))),
    tags: {
      [TAG]:
        "The official Agent Protocol: the same tasks, in its words. Everything is also below `/ap/{agent}/v1` and `/ap/{agent}/ap/v1`, for the tasks of one agent.",
    },
    hint: "tasks are at /ap/v1/agent/tasks, and those of an agent at /ap/{agent}/v1/agent/tasks",
    unbound: true,
    refuse: refuseOfficial,
  });
  return { path: "/ap", ...served, close: () => stopping.abort() };
}

/** Returns the same route below the base of an agent, which shows only its own tasks. */
function ofAgent({ hub }: Official, route: Route, base: string): Route {
  const { handle } = route;
  return {
    ...route,
    path: route.path.replace("/ap/v1", base),
    ...(handle && {
      async handle(call) {
        const { task } = idsOf(call);
        const { agent = "" } = call.params;
        if (task === "") await hub.agent(agent);
        else if ((await hub.run(task)).agent !== agent)
          throw new ProctorError("RUN_NOT_FOUND", `there is no task ${task} of agent "${agent}"`);
        return handle(call);
      },
    }),
  };
}
