// An Agent Protocol server that answers as a test tells it to, and a driver that is run against it to its end.
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { gatherReports, type Driven } from "../gather-reports.ts";
import { serveHttp, type TestServer } from "../http/servers.ts";
import type { Json, JsonObject } from "../../../src/core/json.ts";
import type { AgentReport, Job } from "../../../src/core/ports/driver.ts";
import { createApDriver } from "../../../src/protocols/agent-protocol/driver.ts";

export interface Asked {
  method: string;
  /** The path as it came, with its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** JSON, or whatever the test does with the response. */
export type Reply = Json | ((response: ServerResponse) => void);

export interface Routes {
  create?: Reply;
  /** The answer to the nth step, from 1. */
  step?: (number: number) => Reply;
  /** The answer when a step is asked for again. */
  getStep?: (number: number) => Reply;
  upload?: (number: number) => Reply;
  list?: (query: URLSearchParams) => Reply;
  download?: (id: string) => Reply;
}

export const TASK_ID = "t 1/ä";
export const lastStep = (extra: JsonObject = {}): JsonObject => step({ is_last: true, ...extra });

export function step(extra: JsonObject = {}): JsonObject {
  const fields = { input: null, name: null, output: "done", additional_output: {}, artifacts: [] };
  return { task_id: TASK_ID, step_id: "s", status: "completed", is_last: false, ...fields, ...extra };
}

export function artifact(id: string, extra: JsonObject = {}): JsonObject {
  return { artifact_id: id, agent_created: true, file_name: `${id}.txt`, relative_path: null, ...extra };
}

export function listing(artifacts: JsonObject[], total = artifacts.length): JsonObject {
  const pagination = { total_items: total, total_pages: 1, current_page: 1, page_size: 100 };
  return { artifacts, pagination };
}

export interface ApServer extends TestServer {
  asked: Asked[];
}

export async function serveAp(routes: Routes = {}): Promise<ApServer> {
  const asked: Asked[] = [];
  const counts = new Map<string, number>();
  const count = (what: string): number => {
    counts.set(what, (counts.get(what) ?? 0) + 1);
    return counts.get(what) ?? 0;
  };

  function replyTo(method: string, path: string): Reply {
    const { pathname, searchParams } = new URL(path, "http://agent");
    const [, rest = ""] = pathname.split("/ap/v1/agent/tasks");
    const [, , what, id] = rest.split("/");
    if (rest === "") return or(routes.create, { task_id: TASK_ID, input: null, artifacts: [] });
    if (what === "steps" && method === "POST") return or(routes.step?.(count("step")), lastStep());
    if (what === "steps") return routes.getStep?.(count("get")) ?? lastStep();
    if (method === "POST") {
      const number = count("upload");
      return routes.upload?.(number) ?? artifact(`up-${number}`, { agent_created: false });
    }
    if (id === undefined) return routes.list?.(searchParams) ?? listing([]);
    return routes.download?.(decodeURIComponent(id)) ?? ((response) => response.end(`content of ${id}`));
  }

  const server = await serveHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      asked.push({ method, path, headers, body: Buffer.concat(chunks) });
      const reply = replyTo(method, path);
      if (typeof reply === "function") return reply(response);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(reply));
    });
  });
  return Object.assign(server, { asked });
}

/** Null is an answer, too. */
const or = (reply: Reply | undefined, usual: Reply): Reply => (reply === undefined ? usual : reply);

export const status =
  (code: number, body: Json = {}, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(code, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };

export const text =
  (body: string | Buffer, type = "application/json"): Reply =>
  (response) => {
    response.setHeader("content-type", type);
    response.end(body);
  };

export interface DriveOptions extends Partial<Job> {
  cancel?: AbortSignal;
  kill?: AbortSignal;
  onReport?: (report: AgentReport) => void;
}

export async function drive(url: string, options: DriveOptions = {}): Promise<Driven> {
  const never = new AbortController().signal;
  const { cancel = never, kill = never, onReport, ...rest } = options;
  const job: Job = {
    runId: "0199b7a0-0000-7000-8000-000000000001",
    spec: { protocol: "ap", transport: "http", url },
    task: { description: "do it" },
    constraints: {},
    context: {},
    metadata: {},
    traceId: "0af7651916cd43dd8448eb211c80319c",
    ...rest,
  };
  return gatherReports(createApDriver().open(job, { cancel, kill }), onReport);
}
