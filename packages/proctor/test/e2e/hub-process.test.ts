// The hub as a program of its own: what it prints, how it answers, and what it never says.
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Agent } from "../../src/core/agent.ts";
import type { RunEvent } from "../../src/core/event.ts";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import { eventually } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { runProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fixture, shellFixture } from "../support/test-hub.ts";

const root = temporaryFolder("process");
const task = { description: "do it" };

function folderWith(name: string, agents: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "proctor.yaml"), agents);
  return folder;
}

function declare(name: string): string {
  return `  - name: ${name}\n    command: ${JSON.stringify(fixture(name).command)}\n`;
}

describe("a hub on this machine", () => {
  const folder = folderWith("open", `agents:\n${declare("partial")}${declare("ok")}`);
  let hub: HubProcess;
  beforeAll(async () => {
    hub = await startHubProcess({ folder });
  });
  afterAll(async () => {
    expect(await hub.stop()).toBe(0);
    expect(hub.output()).toMatch(/stopped\n/);
  });

  it("says where it is and what to try", () => {
    const output = hub.output();
    for (const path of ["", "/docs", "/readyz"]) expect(output).toContain(`  ${hub.url}${path}\n`);
    expect(output).toContain('proctor run --agent ok --task "Say hello"');
    expect(output).toContain("proctor runs list");
    expect(output).toContain(`curl ${hub.url}/runs -H 'content-type: application/json' -d '{"agent":"ok"`);
    expect(output).not.toContain("\u001b");
  });

  it("has registered the agents of proctor.yaml, each started in the folder of that file", async () => {
    const { items } = await hub.get<Page<Agent>>("/agents");
    expect(items).toMatchObject([
      { name: "ok", cwd: folder },
      { name: "partial", cwd: folder },
    ]);
  });

  it("takes a run and completes it", async () => {
    const response = await hub.send("POST", "/runs", { json: { agent: "ok", task } });
    const run = (await response.json()) as Run;
    expect(response.status).toBe(202);
    expect(response.headers.get("location")).toBe(`/runs/${run.id}`);
    expect(response.headers.get("x-trace-id")).toBe(run.trace_id);
    expect(await hub.ended(run.id)).toMatchObject({ status: "completed", agent: "ok" });
  });

  it("streams: replay after Last-Event-ID, then live; 204 when there is nothing more to come", async () => {
    const { id } = await hub.post<Run>("/runs", { agent: shellFixture("pausable", "10"), task });
    const early: RunEvent[] = [];
    for await (const event of hub.follow(id)) {
      early.push(event);
      if (event.type === "progress") break;
    }
    const seen = early.at(-1)?.sequence ?? -1;
    const late: RunEvent[] = [];
    for await (const event of hub.follow(id, seen)) late.push(event);
    expect(late[0]?.sequence).toBe(seen + 1);
    expect(late.at(-1)?.type).toBe("run.ended");
    expect([...early, ...late]).toEqual(await hub.events(id));

    const headers = { accept: "text/event-stream", "last-event-id": String(late.at(-1)?.sequence) };
    const over = await hub.send("GET", `/runs/${id}/events`, { headers });
    expect(over.status).toBe(204);
  });

  it.each([
    ["a body that is not JSON", "POST", "/runs", { body: '{"agent":' }, 400, "INVALID_REQUEST"],
    ["an empty body", "POST", "/runs", { body: "" }, 400, "INVALID_REQUEST"],
    [
      "a form",
      "POST",
      "/runs",
      { body: "a=b", headers: { "content-type": "text/plain" } },
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    [
      "a body beyond the limit",
      "POST",
      "/runs",
      { body: "x".repeat(1024 * 1024 + 1) },
      413,
      "PAYLOAD_TOO_LARGE",
    ],
    ["an unknown run", "GET", "/runs/01890000-0000-7000-8000-000000000000", {}, 404, "RUN_NOT_FOUND"],
    ["an unknown agent", "POST", "/runs", { json: { agent: "okk", task } }, 404, "AGENT_NOT_FOUND"],
    ["a cursor of somebody else", "GET", "/runs?cursor=Zm9yZWlnbg", {}, 400, "INVALID_CURSOR"],
    ["a misspelt filter", "GET", "/runs?statsu=failed", {}, 400, "INVALID_REQUEST"],
    ["a path with nothing at it", "GET", "/nothing", {}, 404, "NOT_FOUND"],
    ["a method that is not there", "PATCH", "/runs", {}, 405, "METHOD_NOT_ALLOWED"],
    [
      "another site's page",
      "POST",
      "/runs",
      { json: {}, headers: { origin: "https://x.test" } },
      403,
      "FORBIDDEN",
    ],
  ])("refuses %s", async (_, method, path, init, status, code) => {
    const response = await hub.send(method, path, init);
    const error = (await response.json()) as Record<string, unknown>;
    expect(response.status).toBe(status);
    expect(error["code"]).toBe(code);
    expect(error["message"]).toMatch(/\w/);
  });

  it("says which field of a body is wrong", async () => {
    const json = { agent: "ok", task: { description: 7 }, constraints: { timeout_seconds: -1 } };
    const response = await hub.send("POST", "/runs", { json });
    expect(response.status).toBe(400);
    const { details } = (await response.json()) as { details: { path: string }[] };
    expect(details.map(({ path }) => path)).toEqual(["task.description", "constraints.timeout_seconds"]);
  });

  it("refuses what the status of a run does not allow", async () => {
    const { id } = await hub.post<Run>("/runs", { agent: "ok", task });
    await hub.ended(id);
    for (const verb of ["cancel", "pause", "resume"]) {
      const response = await hub.send("POST", `/runs/${id}/${verb}`);
      expect([verb, response.status]).toEqual([verb, 409]);
      expect(await response.json()).toMatchObject({ code: "ILLEGAL_TRANSITION" });
    }
  });

  it("counts its runs and requests for Prometheus", async () => {
    const text = await (await hub.send("GET", "/metrics")).text();
    expect(text).toMatch(/^proctor_runs_total\{status="completed"\} [1-9]\d*$/m);
    expect(text).toMatch(/^proctor_runs_total\{status="failed"\} 0$/m);
    expect(text).toMatch(/^proctor_runs_active 0$/m);
    expect(text).toMatch(/^proctor_events_appended_total [1-9]\d*$/m);
    expect(text).toMatch(/^proctor_http_requests_total\{method="POST",route="\/runs",status="202"\} [1-9]/m);
  });

  it("describes every route it has", async () => {
    const { openapi, paths } = await hub.get<{ openapi: string; paths: Record<string, object> }>(
      "/openapi.json",
    );
    expect(openapi).toBe("3.1.0");
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(routes.toSorted()).toEqual([
      "delete /a2a/{agent}/tasks/{task_id}/pushNotificationConfigs/{config_id}",
      "delete /agents/{name}",
      "delete /ap/v1/agent/tasks/{task_id}",
      "delete /api/tasks/{task_id}",
      "delete /api/tasks/{task_id}/artifacts/{artifact_id}",
      "delete /api/tasks/{task_id}/steps/{step_id}/artifacts/{artifact_id}",
      "delete /artifacts/{app}/{user}/{session}/{name}",
      "delete /evaluations/{id}",
      "delete /messages/dead/{position}",
      "delete /registry/agents/{name}",
      "delete /runs/{id}",
      "delete /runs/{id}/artifacts/{artifact_id}",
      "delete /script-tools/{name}",
      "get /",
      "get /a2a/{agent}/.well-known/agent-card.json",
      "get /a2a/{agent}/extendedAgentCard",
      "get /a2a/{agent}/tasks",
      "get /a2a/{agent}/tasks/{task_id}",
      "get /a2a/{agent}/tasks/{task_id}/pushNotificationConfigs",
      "get /a2a/{agent}/tasks/{task_id}/pushNotificationConfigs/{config_id}",
      "get /agents",
      "get /agents/{name}",
      "get /agents/{name}/conformance",
      "get /ap/v1/agent/tasks",
      "get /ap/v1/agent/tasks/{task_id}",
      "get /ap/v1/agent/tasks/{task_id}/artifacts",
      "get /ap/v1/agent/tasks/{task_id}/artifacts/{artifact_id}",
      "get /ap/v1/agent/tasks/{task_id}/steps",
      "get /ap/v1/agent/tasks/{task_id}/steps/{step_id}",
      "get /ap/v1/heartbeat",
      "get /api/tasks",
      "get /api/tasks/{task_id}",
      "get /api/tasks/{task_id}/artifacts",
      "get /api/tasks/{task_id}/artifacts/{artifact_id}",
      "get /api/tasks/{task_id}/artifacts/{artifact_id}/download",
      "get /api/tasks/{task_id}/events",
      "get /api/tasks/{task_id}/steps",
      "get /api/tasks/{task_id}/steps/{step_id}",
      "get /api/tasks/{task_id}/steps/{step_id}/artifacts",
      "get /api/tasks/{task_id}/steps/{step_id}/artifacts/{artifact_id}",
      "get /api/tasks/{task_id}/steps/{step_id}/artifacts/{artifact_id}/download",
      "get /artifacts/{app}/{user}/{session}",
      "get /artifacts/{app}/{user}/{session}/{name}",
      "get /artifacts/{app}/{user}/{session}/{name}/versions",
      "get /atp/{agent}/ws",
      "get /audit",
      "get /cases/{case}/history",
      "get /conversations/{id}",
      "get /docs",
      "get /doubles",
      "get /doubles/{id}",
      "get /doubles/{id}/requests",
      "get /evaluations",
      "get /evaluations/{id}",
      "get /evaluations/{id}/cases",
      "get /evaluations/{id}/compare/{other}",
      "get /evaluations/{id}/events",
      "get /evaluations/{id}/matrix",
      "get /events",
      "get /favicon.ico",
      "get /goals",
      "get /goals/{id}",
      "get /goals/{id}/diff/{other}",
      "get /goals/{id}/plan",
      "get /goals/{id}/questions",
      "get /goals/{id}/subtasks",
      "get /goals/{id}/suite",
      "get /health/live",
      "get /health/ready",
      "get /healthz",
      "get /llm/{run_id}/v1/models",
      "get /messages",
      "get /messages/dead",
      "get /messages/inboxes",
      "get /messages/ws",
      "get /metrics",
      "get /openapi.json",
      "get /questions",
      "get /readyz",
      "get /registry/agents",
      "get /registry/agents/{name}",
      "get /registry/agents/{name}/history",
      "get /registry/watch",
      "get /runs",
      "get /runs/summary",
      "get /runs/{id}",
      "get /runs/{id}/artifacts",
      "get /runs/{id}/artifacts/{artifact_id}",
      "get /runs/{id}/artifacts/{artifact_id}/content",
      "get /runs/{id}/events",
      "get /runs/{id}/fork",
      "get /runs/{id}/messages",
      "get /runs/{id}/steps",
      "get /runs/{id}/suite",
      "get /runs/{id}/tally",
      "get /runs/{id}/workspace",
      "get /script-tools",
      "get /script-tools/{name}",
      "get /tokens",
      "get /tokens/{id}",
      "get /tools/{run}",
      "get /work/runs/{id}/blobs/{sha256}",
      "get /work/runs/{id}/budget",
      "get /workers",
      "get /workers/{id}",
      "get /ws",
      "patch /api/tasks/{task_id}/steps/{step_id}",
      "patch /registry/agents/{name}",
      "post /a2a/{agent}",
      "post /a2a/{agent}/message:send",
      "post /a2a/{agent}/message:stream",
      "post /a2a/{agent}/tasks/{task_id}/pushNotificationConfigs",
      "post /a2a/{agent}/tasks/{task_id}:cancel",
      "post /a2a/{agent}/tasks/{task_id}:subscribe",
      "post /agents",
      "post /ap/v1/agent/tasks",
      "post /ap/v1/agent/tasks/{task_id}/artifacts",
      "post /ap/v1/agent/tasks/{task_id}/cancel",
      "post /ap/v1/agent/tasks/{task_id}/steps",
      "post /api/tasks",
      "post /api/tasks/{task_id}/artifacts",
      "post /api/tasks/{task_id}/cancel",
      "post /api/tasks/{task_id}/pause",
      "post /api/tasks/{task_id}/resume",
      "post /api/tasks/{task_id}/start",
      "post /api/tasks/{task_id}/steps",
      "post /api/tasks/{task_id}/steps/{step_id}/artifacts",
      "post /atp/{agent}/execute",
      "post /atp/{agent}/execute/stream",
      "post /doubles",
      "post /doubles/{id}/end",
      "post /doubles/{id}/requests",
      "post /evaluations",
      "post /evaluations/{id}/end",
      "post /evaluations/{id}/records",
      "post /goals",
      "post /goals/preview",
      "post /goals/route",
      "post /goals/{id}/answers",
      "post /goals/{id}/cancel",
      "post /goals/{id}/pause",
      "post /goals/{id}/rerun",
      "post /goals/{id}/resume",
      "post /llm/{run_id}/v1/chat/completions",
      "post /mcp",
      "post /messages",
      "post /messages/ack",
      "post /messages/dead/{position}/redeliver",
      "post /registry/agents",
      "post /registry/agents/{name}/commands",
      "post /registry/agents/{name}/heartbeat",
      "post /registry/search",
      "post /registry/verdicts",
      "post /runs",
      "post /runs/client",
      "post /runs/{id}/answers",
      "post /runs/{id}/artifacts",
      "post /runs/{id}/cancel",
      "post /runs/{id}/fork",
      "post /runs/{id}/messages",
      "post /runs/{id}/pause",
      "post /runs/{id}/release",
      "post /runs/{id}/resume",
      "post /runs/{id}/start",
      "post /runs/{id}/tell",
      "post /runs/{id}/verify",
      "post /script-tools",
      "post /script-tools/{name}/call",
      "post /tokens",
      "post /tokens/{id}/revoke",
      "post /tokens/{id}/rotate",
      "post /tools/{run}/{tool}",
      "post /work/beat",
      "post /work/claim",
      "post /work/leave",
      "post /work/listen",
      "post /work/runs/{id}/events",
      "post /work/runs/{id}/log",
      "post /work/runs/{id}/read",
      "post /work/runs/{id}/release",
      "post /work/runs/{id}/settle",
      "post /workers/{id}/drain",
      "put /agents/{name}",
      "put /agents/{name}/conformance",
      "put /artifacts/{app}/{user}/{session}/{name}",
      "put /registry/agents/{name}/heartbeat",
      "put /script-tools/{name}",
      "put /work/runs/{id}/blobs/{sha256}",
    ]);
  });

  it("is alone on its data: a second hub ends with exit code 2 and names the first", async () => {
    const second = await runProgram(["up", "--port", "0"], { folder });
    expect(second).toMatchObject({ code: 2, stdout: "" });
    expect(second.stderr).toContain(`pid ${hub.pid}`);
    expect(second.stderr).toContain(hub.url);
    expect(second.stderr).toContain("DATA_DIR_LOCKED");
    expect((await hub.send("GET", "/readyz")).status).toBe(200);
  });

  it("says so when its port is taken", async () => {
    const port = new URL(hub.url).port;
    const database = `file:${join(root, "elsewhere.db")}`;
    const second = await runProgram(["up", "--port", port, "--database", database], { folder });
    expect(second).toMatchObject({ code: 2, stdout: "" });
    expect(second.stderr).toMatch(/cannot listen on .*in use/);
  });
});

describe("a hub with a token", () => {
  const token = "t0ken-of-the-test-that-nobody-guesses";
  const secret = "sk-secret-of-the-test-1234";
  const folder = folderWith("closed", `agents:\n${declare("leaks-secret")}`);
  let hub: HubProcess;
  beforeAll(async () => {
    hub = await startHubProcess({ folder, env: { PROCTOR_TOKEN: token } });
  });
  afterAll(() => hub.stop());

  it("is needed to leave this machine", async () => {
    const refused = await runProgram(["up", "--host", "0.0.0.0", "--port", "0"], { folder: root });
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toMatch(/refusing to listen on 0\.0\.0\.0 without a token/);
    expect(refused.stderr).toMatch(/PROCTOR_TOKEN/);
  });

  it("lets in who holds it, and nobody else", async () => {
    for (const wrong of [null, "", "wrong", `${token}x`, token.slice(0, -1)]) {
      const response = await hub.send("GET", "/runs", { token: wrong });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
    }
    expect((await hub.send("POST", "/runs", { json: {}, token: "wrong" })).status).toBe(401);
    expect((await hub.send("GET", "/metrics", { token: null })).status).toBe(401);
    expect((await hub.send("GET", "/healthz", { token: null })).status).toBe(200);
    expect((await hub.send("GET", "/runs")).status).toBe(200);
  });

  it("lets the command line of this machine in by itself, through the lock that only its user can read", async () => {
    const args = ["run", "--agent", "leaks-secret", "--task", "x", "--env", "API_KEY", "--json"];
    const run = await runProgram(args, { folder, env: { API_KEY: secret } });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    const { task_id: id } = JSON.parse(run.stdout) as { task_id: string };
    expect(await hub.get<Run>(`/runs/${id}`)).toMatchObject({ status: "completed" });
    const lock = join(folder, ".proctor/proctor.db.lock");
    expect(statSync(lock).mode & 0o777).toBe(0o600);
    expect(readFileSync(lock, "utf8")).not.toContain(token);
    expect(statSync(join(folder, ".proctor")).mode & 0o777).toBe(0o700);
  });

  it("tells a command line from elsewhere what it lacks", async () => {
    const list = ["runs", "list", "--hub", hub.url];
    const without = await runProgram(list, { folder: root });
    expect(without).toMatchObject({ code: 2, stdout: "" });
    expect(without.stderr).toMatch(/UNAUTHORIZED[^]*PROCTOR_TOKEN/);
    expect((await runProgram(list, { folder: root, env: { PROCTOR_TOKEN: token } })).code).toBe(0);
  });

  it("logs every request as a line of JSON with its trace, and neither token nor secret nor query", async () => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const headers = { accept: "text/event-stream", traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const { items } = await hub.get<Page<Run>>("/runs?status=completed&limit=1");
    const id = items[0]?.id ?? "";
    const path = `/runs/${id}/events`;
    const stream = await hub.send("GET", `${path}?access_token=${token}`, { headers, token: null });
    expect(stream.status).toBe(200);
    await stream.text();
    // The log is written after the answer, and comes through another pipe.
    const entries = await eventually(() => {
      const written = hub.log();
      expect(written.map((entry) => entry["trace_id"])).toContain(traceId);
      return written;
    });
    for (const entry of entries) {
      expect(entry).toMatchObject({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
        level: expect.stringMatching(/^(info|error)$/) as string,
        trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      });
    }
    expect(entries.find((entry) => entry["trace_id"] === traceId)).toMatchObject({
      method: "GET",
      path,
      status: 200,
      run_id: id,
      duration_ms: expect.any(Number) as number,
    });
    expect(entries.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(5);
    const output = hub.output();
    for (const hidden of [token, secret, "access_token", "limit=1"]) expect(output).not.toContain(hidden);
  });
});
