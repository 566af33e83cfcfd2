// A client as the official ones are, and our own statement of what they accept: which fields must be there, of which type, and which
// may be null. They refuse everything else, so every answer that the tests get is held to it.
import { expect } from "vitest";
import * as z from "zod";
import type { JsonObject } from "../../../src/core/json.ts";

const artifact = z.looseObject({
  artifact_id: z.string(),
  agent_created: z.boolean(),
  file_name: z.string(),
  relative_path: z.string().nullable().optional(),
});
const said = {
  input: z.string().nullable().optional(),
  additional_input: z.looseObject({}).nullable().optional(),
};
const TASK = z.looseObject({ task_id: z.string(), ...said, artifacts: z.array(artifact) });
const STEP = z.looseObject({
  ...said,
  task_id: z.string(),
  step_id: z.string(),
  name: z.string().nullable().optional(),
  status: z.enum(["created", "running", "completed"]),
  output: z.string().nullable().optional(),
  additional_output: z.looseObject({}).nullable().optional(),
  artifacts: z.array(artifact),
  is_last: z.boolean(),
});
const pagination = z.strictObject({
  total_items: z.int(),
  total_pages: z.int(),
  current_page: z.int(),
  page_size: z.int(),
});
const TASKS = z.strictObject({ tasks: z.array(TASK), pagination });
const STEPS = z.strictObject({ steps: z.array(STEP), pagination });
const ARTIFACTS = z.strictObject({ artifacts: z.array(artifact), pagination });
const NOT_FOUND = z.looseObject({ message: z.string() });
const REFUSAL = z.looseObject({ error: z.string(), message: z.string() });

type ApTask = z.infer<typeof TASK>;
export type ApStep = z.infer<typeof STEP>;
type ApArtifact = z.infer<typeof artifact>;

export interface OfficialClient {
  createTask(body?: JsonObject): Promise<ApTask>;
  listTasks(query?: string): Promise<z.infer<typeof TASKS>>;
  getTask(id: string): Promise<ApTask>;
  /** As the official clients do: a JSON content type and no body, unless there is something to say. */
  executeStep(task: string, body?: JsonObject, query?: string): Promise<ApStep>;
  listSteps(task: string, query?: string): Promise<z.infer<typeof STEPS>>;
  getStep(task: string, step: string): Promise<ApStep>;
  upload(
    task: string,
    name: string,
    content: string,
    relativePath?: string,
    query?: string,
  ): Promise<ApArtifact>;
  listArtifacts(task: string, query?: string): Promise<z.infer<typeof ARTIFACTS>>;
  download(task: string, id: string): Promise<{ text: string; headers: Headers }>;
  /** Any request; what refuses is held to the form of refusals. */
  send(
    method: string,
    path: string,
    init?: RequestInit,
  ): Promise<{ status: number; body: JsonObject; headers: Headers }>;
}

/** `path`: where the server has its tasks. */
export function createOfficialClient(url: string, path = "/ap/v1/agent/tasks"): OfficialClient {
  const base = `${url}${path}`;
  const json = { "content-type": "application/json", accept: "application/json" };

  async function ask<T>(schema: z.ZodType<T>, below: string, init: RequestInit = {}): Promise<T> {
    const response = await fetch(`${base}${below}`, init);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    return schema.parse(JSON.parse(text));
  }

  const post = (body: JsonObject | undefined): RequestInit => ({
    method: "POST",
    headers: json,
    ...(body && { body: JSON.stringify(body) }),
  });

  return {
    createTask: (body) => ask(TASK, "", post(body)),
    listTasks: (query = "") => ask(TASKS, query),
    getTask: (id) => ask(TASK, `/${id}`),
    executeStep: (task, body, query = "") => ask(STEP, `/${task}/steps${query}`, post(body)),
    listSteps: (task, query = "") => ask(STEPS, `/${task}/steps${query}`),
    getStep: (task, step) => ask(STEP, `/${task}/steps/${step}`),
    upload(task, name, content, relativePath, query = "") {
      const body = new FormData();
      body.append("file", new Blob([content]), name);
      if (relativePath !== undefined) body.append("relative_path", relativePath);
      return ask(artifact, `/${task}/artifacts${query}`, { method: "POST", body });
    },
    listArtifacts: (task, query = "") => ask(ARTIFACTS, `/${task}/artifacts${query}`),
    async download(task, id) {
      const response = await fetch(`${base}/${task}/artifacts/${id}`);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/octet-stream");
      return { text: await response.text(), headers: response.headers };
    },
    async send(method, place, init = {}) {
      const response = await fetch(`${url}${place}`, { method, ...init });
      const text = await response.text();
      // The tests look inside.
      const body = (text === "" ? {} : JSON.parse(text)) as JsonObject;
      if (text !== "" && response.status >= 400) REFUSAL.parse(body);
      if (text !== "" && response.status === 404) NOT_FOUND.parse(body);
      return { status: response.status, body, headers: response.headers };
    },
  };
}
