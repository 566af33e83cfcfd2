// The requests of Agent Protocol v1: where each goes and what it carries.
import type { AgentSpec } from "../../../core/agent.ts";
import type { Failure } from "../../../core/failure.ts";
import type { Job } from "../../../core/ports/driver.ts";
import { traceparentOf } from "../../../runtime/span-ids.ts";
import { agentEndpoint } from "../../agent-endpoint.ts";
import { AP_ROOT } from "../wire.ts";

export interface ApRequest {
  /** Name of the request for messages. */
  name: string;
  url: URL;
  headers: Record<string, string>;
  /** The body; absent for GET. */
  content?: string | Uint8Array;
  /** True for a request that is never sent again, because a step has effects and costs money. */
  once?: boolean;
}

export interface Requests {
  createTask(body: string): ApRequest;
  /** Returns the requests of one task; undefined when its id cannot be part of a path. */
  ofTask(taskId: string): TaskRequests | undefined;
}

export interface TaskRequests {
  executeStep(body: string): ApRequest;
  getStep(stepId: string): ApRequest | undefined;
  upload(form: Uint8Array, contentType: string, query: Record<string, string>): ApRequest;
  listArtifacts(query: Record<string, string>): ApRequest;
  download(artifactId: string): ApRequest | undefined;
}

const JSON_TYPE = "application/json";
const TASKS = `${AP_ROOT}/tasks`;
const MAX_ID_CHARS = 1024;

export function requestsOf(job: Job): Requests | { refused: Failure } {
  const endpoint = agentEndpoint(withoutRoot(job.spec), traceparentOf(job));
  if ("refused" in endpoint) return endpoint;
  const below = (path: string): URL => endpoint.below(path);
  const headers = { ...endpoint.headers, accept: JSON_TYPE };

  function post(
    name: string,
    path: string,
    content: string | Uint8Array,
    contentType = JSON_TYPE,
  ): ApRequest {
    const sent = { ...headers, "content-type": contentType };
    return { name: `POST ${name}`, url: below(path), headers: sent, content };
  }

  return {
    createTask: (body) => post(TASKS, TASKS, body),
    ofTask(taskId) {
      const id = segmentOf(taskId);
      if (id === undefined) return undefined;
      const path = (rest: string): string => `${TASKS}/${id}/${rest}`;
      const name = (rest: string): string => `${TASKS}/{task_id}/${rest}`;
      return {
        executeStep: (body) => ({ ...post(name("steps"), path("steps"), body), once: true }),
        getStep(stepId) {
          const step = segmentOf(stepId);
          if (step === undefined) return undefined;
          return { name: `GET ${name("steps/{step_id}")}`, url: below(path(`steps/${step}`)), headers };
        },
        upload(form, contentType, query) {
          const request = post(name("artifacts"), path("artifacts"), form, contentType);
          return { ...request, url: withQuery(request.url, query) };
        },
        listArtifacts: (query) => ({
          name: `GET ${name("artifacts")}`,
          url: withQuery(below(path("artifacts")), query),
          headers,
        }),
        download(artifactId) {
          const artifact = segmentOf(artifactId);
          if (artifact === undefined) return undefined;
          return {
            name: `GET ${name("artifacts/{artifact_id}")}`,
            url: below(path(`artifacts/${artifact}`)),
            headers: { ...headers, accept: "*/*" },
          };
        },
      };
    },
  };
}

/** Adds to the query that the address has. */
function withQuery(url: URL, query: Record<string, string>): URL {
  const extended = new URL(url);
  for (const [key, value] of Object.entries(query)) extended.searchParams.set(key, value);
  return extended;
}

/** Removes the protocol's root from an address that already names it. */
function withoutRoot(spec: AgentSpec): AgentSpec {
  const { url = "" } = spec;
  if (!URL.canParse(url)) return spec;
  const base = new URL(url);
  base.pathname = base.pathname.replace(/\/ap\/v1(\/agent)?\/*$/, "");
  return { ...spec, url: base.href };
}

/** Returns an id as one segment of a path. URLs drop `.` and `..`, encoded or not, so that these would lead elsewhere. */
function segmentOf(id: string): string | undefined {
  const usable = id !== "" && id.length <= MAX_ID_CHARS && id.isWellFormed();
  return usable && !/^\.{1,2}$/.test(id) ? encodeURIComponent(id) : undefined;
}
