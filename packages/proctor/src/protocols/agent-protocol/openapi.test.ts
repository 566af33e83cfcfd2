// Every operation of both task APIs, on real servers, held to what `/openapi.json` says of it.
import { afterEach, describe, expect, it } from "vitest";
import { createAnswerCheck, type AnswerCheck } from "../../../test/support/answer-check.ts";
import { fixture } from "../../../test/support/test-hub.ts";
import type { OpenApiDocument } from "../../server/openapi.ts";
import { openApiServer } from "../../../test/support/agent-protocol/api-server.ts";
import { openStage } from "../../../test/support/agent-protocol/surfaces-server.ts";

let close: () => Promise<void>;
afterEach(() => close());

interface Asked {
  status: number;
  headers: Headers;
  text: string;
  /** Tests look inside freely. */
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

type Ask = (method: string, path: string, init?: { json?: unknown } & RequestInit) => Promise<Asked>;

async function openCheck(url: string): Promise<{ check: AnswerCheck; ask: Ask }> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  const check = createAnswerCheck(document);
  async function ask(
    method: string,
    path: string,
    { json, ...init }: { json?: unknown } & RequestInit = {},
  ): Promise<Asked> {
    const response = await fetch(`${url}${path}`, {
      method,
      ...(json !== undefined && {
        body: JSON.stringify(json),
        headers: { "content-type": "application/json" },
      }),
      ...init,
    });
    const { status, headers } = response;
    const text = await response.text();
    expect(check.problems(method, path, { status, headers, text })).toEqual([]);
    const isJson = headers.get("content-type") === "application/json";
    return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
  }
  return { check, ask };
}

function upload(content: string, name: string): RequestInit {
  const body = new FormData();
  body.append("file", new File([content], name, { type: "text/plain" }));
  return { body };
}

describe("the description of /api", () => {
  it("matches what every operation answers for a client's task", async () => {
    const server = await openApiServer();
    close = () => server.close();
    const { check, ask } = await openCheck(server.url);
    const created = await ask("POST", "/api/tasks", { json: { task: "report", workspace: "./w" } });
    const task = `/api/tasks/${created.body.agent.id}`;
    expect((await ask("POST", `${task}/steps`, { json: { input: { a: [1] } } })).status).toBe(201);
    const steps = await ask("GET", `${task}/steps`);
    const step = `${task}/steps/${steps.body.steps[0].step_id}`;
    await ask("PATCH", step, { json: { status: "running", output: ["x"] } });
    await ask("POST", `${task}/pause`);
    await ask("POST", `${task}/resume`);
    const added = await ask("POST", `${step}/artifacts`, upload("hello", "größe.txt"));
    const artifact = `${step}/artifacts/${added.body.artifact_id}`;
    const given = await ask("POST", `${task}/artifacts`, upload("hello", "of-the-task.txt"));
    await ask("POST", `${task}/start`);
    for (const place of [`${step}/artifacts`, `${task}/artifacts`]) {
      const one = `${place}/${(place.startsWith(step) ? added : given).body.artifact_id}`;
      await ask("GET", place);
      await ask("GET", one);
      const { headers } = await ask("GET", `${one}/download`);
      await ask("GET", `${one}/download`, { headers: { range: "bytes=1-2" } });
      await ask("GET", `${one}/download`, { headers: { range: "bytes=99-" } });
      await ask("GET", `${one}/download`, { headers: { "if-none-match": headers.get("etag") ?? "" } });
      await ask("HEAD", `${one}/download`);
    }
    await ask("DELETE", `${task}/artifacts/${given.body.artifact_id}`);
    await ask("GET", step);
    await ask("GET", task);
    await ask("GET", "/api/tasks?pageSize=1");
    await ask("PATCH", step, { json: { status: "completed", is_last: true } });
    await ask("POST", `${task}/cancel`);
    const { text } = await ask("GET", `${task}/events`);
    const last =
      text
        .match(/^id: \d+$/gm)
        ?.at(-1)
        ?.slice(4) ?? "";
    await ask("GET", `${task}/events`, { headers: { "last-event-id": last } });
    await ask("DELETE", artifact);
    await ask("DELETE", task);
    await ask("GET", task);
    const other = await ask("POST", "/api/tasks", { json: { task: "report" } });
    await ask("POST", `/api/tasks/${other.body.agent.id}/cancel`);
    // To be told that an agent has not stopped takes half a minute.
    const slow = "POST /api/tasks/{task_id}/cancel 202";
    expect(check.described("/api").filter((kind) => !check.seen.has(kind))).toEqual([slow]);
  });

  it("matches what an agent's task is shown as", async () => {
    const server = await openApiServer();
    close = () => server.close();
    const { ask } = await openCheck(server.url);
    const { test } = server;
    const { run } = await test.hub.submit({ agent: fixture("steps", "3"), task: { description: "x" } });
    await test.ended(run.id);
    const task = `/api/tasks/${run.id}`;
    const { body } = await ask("GET", task);
    expect(body.task.cycles.length).toBeGreaterThan(1);
    await ask("GET", `${task}/steps?pageSize=200`);
    await ask("GET", `${task}/events`);
    await ask("GET", "/api/tasks");
  });

  it("has refusals, and the check notices answers it does not have", async () => {
    const server = await openApiServer();
    close = () => server.close();
    const { check, ask } = await openCheck(server.url);
    for (const [method, path, init] of [
      ["POST", "/api/tasks", { json: {} }],
      ["POST", "/api/tasks", { body: "x", headers: { "content-type": "text/plain" } }],
      ["GET", "/api/tasks?page=0", {}],
      ["GET", "/api/tasks/nobody", {}],
      ["PUT", "/api/tasks", {}],
      ["GET", "/api/elsewhere", {}],
    ] as const)
      expect((await ask(method, path, init)).status).toBeGreaterThanOrEqual(400);
    // The check itself sees what is wrong.
    const headers = new Headers({ "content-type": "application/json" });
    const answer = { status: 200, headers, text: '{"tasks":[{}],"pagination":{}}' };
    expect(check.problems("GET", "/api/tasks", answer).length).toBeGreaterThan(5);
    expect(check.problems("GET", "/api/tasks", { ...answer, status: 202 })).toHaveLength(1);
    expect(check.problems("GET", "/api/other", answer)).toHaveLength(1);
  });
});

describe("the description of /ap/v1", () => {
  it("matches what every operation answers", async () => {
    const stage = await openStage();
    close = () => stage.close();
    const { check, ask } = await openCheck(stage.url);
    const created = await ask("POST", "/ap/v1/agent/tasks", { json: { input: "Washington" } });
    const task = `/ap/v1/agent/tasks/${created.body.task_id}`;
    const added = await ask("POST", `${task}/artifacts`, upload("x", "in.csv"));
    const { body: step } = await ask("POST", `${task}/steps`, { json: {} });
    await ask("GET", "/ap/v1/agent/tasks");
    await ask("GET", task);
    await ask("GET", `${task}/steps`);
    await ask("GET", `${task}/steps/${step.step_id}`);
    await ask("GET", `${task}/artifacts`);
    await ask("GET", `${task}/artifacts/${added.body.artifact_id}`);
    await ask("GET", "/ap/v1/heartbeat");
    const other = await ask("POST", "/ap/v1/agent/tasks", { json: {} });
    await ask("POST", `/ap/v1/agent/tasks/${other.body.task_id}/cancel`, { json: { reason: "enough" } });
    await ask("DELETE", `/ap/v1/agent/tasks/${other.body.task_id}`);
    expect(check.described("/ap/").filter((kind) => !check.seen.has(kind))).toEqual([]);
    expect((await ask("GET", `${task}/steps/none`)).status).toBe(404);
    expect((await ask("GET", `${task}/steps?page_size=0`)).status).toBe(422);
  });
});

it("the OpenAPI document has the exact limits of pages on both task APIs", async () => {
  const stage = await openStage();
  close = () => stage.close();
  const { paths } = (await (await fetch(`${stage.url}/openapi.json`)).json()) as OpenApiDocument;
  for (const path of ["/api/tasks", "/ap/v1/agent/tasks"]) {
    for (const { name, in: place, schema } of paths[path]?.["get"]?.parameters ?? []) {
      if (place !== "query" || typeof schema["maximum"] !== "number") continue;
      const statusOf = async (value: number) => (await fetch(`${stage.url}${path}?${name}=${value}`)).status;
      expect([name, await statusOf(schema["maximum"])]).toEqual([name, 200]);
      expect([name, (await statusOf(schema["maximum"] + 1)) >= 400]).toEqual([name, true]);
    }
  }
});

describe("the OpenAPI document of the task APIs", () => {
  it("has unique operations, and only schemas that something refers to", async () => {
    const stage = await openStage();
    close = () => stage.close();
    const document = (await (await fetch(`${stage.url}/openapi.json`)).json()) as OpenApiDocument;
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const used = new Set(JSON.stringify(document).match(/#\/components\/schemas\/\w+/g));
    const known = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...used].toSorted()).toEqual(known.toSorted());
    expect(document.tags.map(({ name }) => name)).toContain("Agent Protocol v1");
  });
});
