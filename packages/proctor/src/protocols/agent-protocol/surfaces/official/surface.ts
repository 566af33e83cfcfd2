// The official Agent Protocol v1 on /ap: the same tasks as /api in other words. Which path takes which method is here; what is
// done is in the file of the resource.
import { setMaxListeners } from "node:events";
import { ProctorError } from "../../../../core/errors.ts";
import type { Surface } from "../../../protocol.ts";
import { downloadArtifact, listArtifacts, uploadArtifact } from "./artifacts.ts";
import { describeOfficial } from "./openapi.ts";
import { json, refuse } from "./respond.ts";
import { createOfficial, type Handler, type Official, type OfficialSetting } from "./context.ts";
import { executeStep, getStep, listSteps } from "./steps.ts";
import { cancelTask, createTask, deleteTask, getTask, listTasks } from "./tasks.ts";

/** Of AutoGPT's Forge. */
const heartbeat: Handler = () => Promise.resolve(json({ status: "ok" }));

const ROUTES: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  heartbeat: { GET: heartbeat },
  "agent/tasks": { GET: listTasks, POST: createTask },
  "agent/tasks/:": { GET: getTask, DELETE: deleteTask },
  "agent/tasks/:/cancel": { POST: cancelTask },
  "agent/tasks/:/steps": { GET: listSteps, POST: executeStep },
  "agent/tasks/:/steps/:": { GET: getStep },
  "agent/tasks/:/artifacts": { GET: listArtifacts, POST: uploadArtifact },
  "agent/tasks/:/artifacts/:": { GET: downloadArtifact },
};

/** Clients append `/ap/v1` to a base URL, so an agent's own base is `/ap/{agent}`. */
const BASE = /^\/ap\/(?:v1|([^/]+)\/(?:ap\/)?v1)\//;

export function createOfficialSurface(setting: OfficialSetting): Surface {
  const stopping = new AbortController();
  // Every waiting client listens to it.
  setMaxListeners(0, stopping.signal);
  const official = createOfficial(setting, stopping.signal);
  const { hub } = official;

  async function answer(request: Request, traceId: string): Promise<Response> {
    const { pathname, searchParams: query } = new URL(request.url);
    const { agent, route, task, part } = locate(pathname);
    const methods = Object.hasOwn(ROUTES, route) ? ROUTES[route] : undefined;
    if (methods === undefined) throw nothingHere();
    const isHead = request.method === "HEAD";
    const method = isHead ? "GET" : request.method;
    const handle = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (handle === undefined) return notAllowed(Object.keys(methods));
    if (agent !== undefined) await refuseForeign(hub, agent, task);
    const response = await handle(official, { request, traceId, agent, task, part, query });
    if (!isHead || response.body === null) return response;
    return new Response(null, { status: response.status, headers: response.headers });
  }

  return {
    path: "/ap",
    async fetch(request, { traceId }) {
      try {
        return await answer(request, traceId);
      } catch (error) {
        return refuse(error);
      }
    },
    openapi: describeOfficial,
    close: () => stopping.abort(),
  };
}

/** Below the base of an agent there are only its own tasks. Throws AGENT_NOT_FOUND, RUN_NOT_FOUND. */
async function refuseForeign(hub: Official["hub"], agent: string, task: string): Promise<void> {
  if (task === "") await hub.agent(agent);
  else if ((await hub.run(task)).agent !== agent)
    throw new ProctorError("RUN_NOT_FOUND", `there is no task ${task} of agent "${agent}"`);
}

interface Place {
  /** Named by the path. */
  agent: string | undefined;
  route: string;
  task: string;
  part: string;
}

/** The third and the fifth word of the path below the base are ids. */
function locate(pathname: string): Place {
  const base = BASE.exec(pathname);
  if (base === null) throw nothingHere();
  const words = pathname.slice(base[0].length).split("/");
  const [, , task = "", , part = ""] = words;
  const route = words.map((word, index) => ((index === 2 || index === 4) && word !== "" ? ":" : word));
  try {
    return {
      agent: base[1] === undefined ? undefined : decodeURIComponent(base[1]),
      route: route.join("/"),
      task: decodeURIComponent(task),
      part: decodeURIComponent(part),
    };
  } catch {
    throw nothingHere();
  }
}

function nothingHere(): ProctorError {
  return new ProctorError(
    "NOT_FOUND",
    "there is nothing at this path\ntasks are at /ap/v1/agent/tasks, and those of an agent at /ap/{agent}/v1/agent/tasks",
  );
}

function notAllowed(methods: string[]): Response {
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].join(", ");
  return refuse(new ProctorError("METHOD_NOT_ALLOWED", `this path takes ${allow}`), { allow });
}
