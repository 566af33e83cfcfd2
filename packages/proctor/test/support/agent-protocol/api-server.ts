// The surface on a socket over a real hub, as `proctor up` serves it: what the tests of its routes share.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { readSse } from "../../../src/channels/sse/read-sse.ts";
import type { Listening } from "../../../src/runtime/http/listen.ts";
import { createAnswerCheck } from "../answer-check.ts";
import { serveSurfaces } from "../server/serve-surfaces.ts";
import { openTestHub, type TestHub, type TestHubOptions } from "../test-hub.ts";
import type { TaskEvent } from "../../../src/protocols/agent-protocol/surfaces/shared/task-events.ts";
import type { ApiOptions } from "../../../src/protocols/agent-protocol/surfaces/api/context.ts";
import { createApiSurface } from "../../../src/protocols/agent-protocol/surfaces/api/surface.ts";

export interface Answer {
  status: number;
  headers: Headers;
  /** Tests look inside freely. */
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface ApiServer {
  url: string;
  test: TestHub;
  server: Listening;
  artifactsDir: string;
  workspacesRoot: string;
  /** Troubles that no client could be told. */
  reports: unknown[];
  send(method: string, path: string, init?: SendInit): Promise<Answer>;
  /** The id of a new task whose client does the work. */
  newTask(task?: string): Promise<string>;
  /** The id of a new step of it. */
  newStep(task: string, body?: object): Promise<string>;
  upload(
    task: string,
    step: string,
    content: string | Uint8Array<ArrayBuffer>,
    name?: string,
    path?: string,
  ): Promise<Answer>;
  /** The task's event stream from after `lastEventId`, to its end; or so many. */
  events(task: string, lastEventId?: number, count?: number): Promise<TaskEvent[]>;
  close(): Promise<void>;
}

export interface SendInit {
  json?: unknown;
  body?: string | FormData;
  headers?: Record<string, string>;
}

export async function openApiServer(options: Partial<ApiOptions> & TestHubOptions = {}): Promise<ApiServer> {
  const test = await openTestHub(options);
  const artifactsDir = join(test.folder, "artifacts");
  const workspacesRoot = join(test.folder, "task-workspaces");
  await mkdir(artifactsDir, { recursive: true });
  const { hub } = test;
  const reports: unknown[] = [];
  const surface = createApiSurface({
    hub,
    log: test.reader,
    keepAliveMs: 15_000,
    report: (problem) => reports.push(problem),
    artifactsDir,
    workspacesRoot,
    exposeUri: true,
    ...options,
  });
  const { app, server } = await serveSurfaces(hub, [surface]);
  const { url } = server;
  const check = createAnswerCheck(app.openapi());

  async function send(
    method: string,
    path: string,
    { json, body, headers = {} }: SendInit = {},
  ): Promise<Answer> {
    const content = json === undefined ? body : JSON.stringify(json);
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(json !== undefined && { "content-type": "application/json" }), ...headers },
      ...(content !== undefined && { body: content }),
    });
    const text = await response.text();
    const described = { status: response.status, headers: response.headers, text };
    expect(check.problems(method, path, described)).toEqual([]);
    const isJson = response.headers.get("content-type") === "application/json";
    const answer = {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== "" ? JSON.parse(text) : text,
    };
    if (response.status >= 400 && method !== "HEAD") expectError(answer.body);
    return answer;
  }

  async function events(task: string, lastEventId?: number, count = Infinity): Promise<TaskEvent[]> {
    const leave = new AbortController();
    const response = await fetch(`${url}/api/tasks/${task}/events`, {
      headers: lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) },
      signal: leave.signal,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const seen: TaskEvent[] = [];
    try {
      // Node's streams of fetch are iterable.
      for await (const frame of readSse(response.body as unknown as AsyncIterable<Uint8Array>)) {
        if (frame.kind !== "message") continue;
        const event = JSON.parse(frame.data) as TaskEvent;
        expect(frame.id).toBe(String(event.seq));
        seen.push(event);
        if (seen.length >= count) break;
      }
    } finally {
      leave.abort();
    }
    return seen;
  }

  return {
    url,
    test,
    server,
    artifactsDir,
    workspacesRoot,
    reports,
    send,
    events,
    async newTask(task = "do it") {
      const { status, body } = await send("POST", "/api/tasks", { json: { task } });
      expect(status).toBe(200);
      return String(body.agent.id);
    },
    async newStep(task, json = {}) {
      const { status, body } = await send("POST", `/api/tasks/${task}/steps`, { json });
      expect(status).toBe(201);
      return String(body.step_id);
    },
    upload(task, step, content, name = "output.txt", path?) {
      const body = new FormData();
      body.append("file", new File([content], name, { type: "text/plain" }));
      if (path !== undefined) body.append("relative_path", path);
      return send("POST", `/api/tasks/${task}/steps/${step}/artifacts`, { body });
    },
    async close() {
      await server.close(0);
      await test.close();
    },
  };
}

/** Document 003, "错误响应": every refusal has the same form. */
function expectError(body: unknown): void {
  expect(body).toMatchObject({ error: expect.any(String), message: expect.any(String) });
  expect(
    Object.keys(body as object).filter((key) => !["error", "code", "message", "details"].includes(key)),
  ).toEqual([]);
}
