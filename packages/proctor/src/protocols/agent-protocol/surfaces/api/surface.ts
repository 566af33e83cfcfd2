// Document 003 on `/api`: a task is a run, and this only translates. Which path takes which method is here; what is done is in
// the file of the resource.
import { setMaxListeners } from "node:events";
import { ProctorError } from "../../../../core/errors.ts";
import type { Surface, SurfaceOptions } from "../../../protocol.ts";
import { errorResponse } from "../../errors.ts";
import { deleteArtifact, getArtifact, listArtifacts, ofTask, uploadArtifact } from "./artifacts.ts";
import { downloadArtifact } from "./download.ts";
import { streamEvents } from "./events.ts";
import { describeApi } from "./openapi.ts";
import { createApi, type ApiSetting, type Handler } from "./context.ts";
import { changeStep, createStep, getStep, listSteps } from "./steps.ts";
import { cancelTask, pauseTask, resumeTask, startTask } from "./task-control.ts";
import { createTask, deleteTask, getTask, listTasks } from "./tasks.ts";

type Methods = ReadonlyMap<string, Handler>;

const PATH = "/api";

/** By path; `:` stands for an id, which is every second word. */
const ROUTES: ReadonlyMap<string, Methods> = new Map([
  route("tasks", { GET: listTasks, POST: createTask }),
  route("tasks/:", { GET: getTask, DELETE: deleteTask }),
  route("tasks/:/start", { POST: startTask }),
  route("tasks/:/artifacts", { GET: ofTask(listArtifacts), POST: ofTask(uploadArtifact) }),
  route("tasks/:/artifacts/:", { GET: ofTask(getArtifact), DELETE: ofTask(deleteArtifact) }),
  route("tasks/:/artifacts/:/download", { GET: ofTask(downloadArtifact) }),
  route("tasks/:/pause", { POST: pauseTask }),
  route("tasks/:/resume", { POST: resumeTask }),
  route("tasks/:/cancel", { POST: cancelTask }),
  route("tasks/:/events", { GET: streamEvents }),
  route("tasks/:/steps", { GET: listSteps, POST: createStep }),
  route("tasks/:/steps/:", { GET: getStep, PATCH: changeStep }),
  route("tasks/:/steps/:/artifacts", { GET: listArtifacts, POST: uploadArtifact }),
  route("tasks/:/steps/:/artifacts/:", { GET: getArtifact, DELETE: deleteArtifact }),
  route("tasks/:/steps/:/artifacts/:/download", { GET: downloadArtifact }),
]);

export function createApiSurface(setting: Omit<SurfaceOptions, "tasks"> & ApiSetting): Surface {
  const stopping = new AbortController();
  // Every waiting client listens to it.
  setMaxListeners(0, stopping.signal);
  const api = createApi(setting, stopping.signal);

  async function answer(request: Request, traceId: string): Promise<Response> {
    const { words, query } = readUrl(request.url);
    const methods = ROUTES.get(words.map(pattern).join("/"));
    if (methods === undefined) throw nothingHere();
    const isHead = request.method === "HEAD";
    const handle = methods.get(isHead ? "GET" : request.method);
    if (handle === undefined) return notAllowed(methods);
    const [, task = "", , step = "", , artifact = ""] = words;
    const call = { request, traceId, task, step, artifact, query: () => new URLSearchParams(query) };
    const response = await handle(api, call);
    if (!isHead || response.body === null) return response;
    const { status, headers } = response;
    return new Response(null, { status, headers });
  }

  return {
    path: PATH,
    async fetch(request, { traceId }) {
      try {
        return await answer(request, traceId);
      } catch (error) {
        return errorResponse(error);
      }
    },
    openapi: describeApi,
    close: () => stopping.abort(),
  };
}

function route(path: string, handlers: Record<string, Handler>): [string, Methods] {
  return [path, new Map(Object.entries(handlers))];
}

function pattern(word: string, index: number): string {
  return index % 2 === 1 && word !== "" ? ":" : word;
}

/** The words of the path below ours, decoded, and the query. Without URL, which costs more than the rest of a small request. */
function readUrl(url: string): { words: string[]; query: string } {
  const pathAt = url.indexOf("/", url.indexOf("://") + 3);
  const queryAt = url.indexOf("?", pathAt);
  const path = queryAt === -1 ? url.slice(pathAt) : url.slice(pathAt, queryAt);
  const words = path.slice(PATH.length + 1).split("/");
  try {
    const decoded = path.includes("%") ? words.map(decodeURIComponent) : words;
    return { words: decoded, query: queryAt === -1 ? "" : url.slice(queryAt) };
  } catch {
    throw new ProctorError("INVALID_REQUEST", "the path has a malformed percent escape");
  }
}

function nothingHere(): ProctorError {
  return new ProctorError("NOT_FOUND", "there is nothing at this path\ntasks are at /api/tasks");
}

function notAllowed(methods: Methods): Response {
  const allow = [...methods.keys(), ...(methods.has("GET") ? ["HEAD"] : [])].join(", ");
  return errorResponse(new ProctorError("METHOD_NOT_ALLOWED", `this path takes ${allow}`), { allow });
}
