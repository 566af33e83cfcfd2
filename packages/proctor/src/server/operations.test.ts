// The names of all operations, of every door: clients are generated from them, so that none may change.
import { describe, expect, it } from "vitest";
import { describeApi, describeOfficial, describeWs } from "../../test/support/agent-protocol/descriptions.ts";
import { createScriptedExecutions } from "../../test/support/atp/executions.ts";
import { serveAtp } from "../protocols/atp/surface.ts";
import type { Mount } from "./app.ts";
import { createHarness } from "../../test/support/server/app-harness.ts";
import { llmMount } from "./llm-mount.ts";
import { toolsMount } from "./tools-mount.ts";

const nothing = (): Response => new Response();
const mount = (path: string, openapi: NonNullable<Mount["openapi"]>): Mount => ({
  path,
  openapi,
  fetch: nothing,
});

const atp = serveAtp({
  executions: createScriptedExecutions(),
  stopping: new AbortController().signal,
  keepAliveMs: 1000,
  report: () => undefined,
});

const { app } = createHarness({
  mounts: [
    mount("/api", describeApi),
    mount("/ap", describeOfficial),
    mount("/ws", describeWs),
    mount("/atp", () => atp.openapi()),
    toolsMount(() => Promise.resolve(nothing())),
    llmMount(() => Promise.resolve(nothing())),
  ],
});
const document = app.openapi();
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, name: `${method} ${path}` })),
);

describe("the operations of all surfaces", () => {
  it("have the names that generated clients know them by", () => {
    const names = Object.fromEntries(operations.map(({ name, operationId }) => [name, operationId]));
    expect(names).toEqual({
      "post /runs": "createRun",
      "get /runs/summary": "getRunsSummary",
      "get /runs/{id}/fork": "getForkPoints",
      "post /runs/{id}/fork": "forkRun",
      "get /runs/{id}/suite": "getRunSuite",
      "get /runs/{id}/workspace": "downloadRunWorkspace",
      "post /runs/{id}/verify": "verifyRun",
      "post /runs/{id}/release": "releaseRun",
      "get /runs": "listRuns",
      "get /runs/{id}": "getRun",
      "delete /runs/{id}": "deleteRun",
      "get /runs/{id}/events": "getRunEvents",
      "get /events": "getEvents",
      "post /runs/{id}/start": "startRun",
      "post /runs/{id}/cancel": "cancelRun",
      "post /runs/{id}/pause": "pauseRun",
      "post /runs/{id}/resume": "resumeRun",
      "post /runs/{id}/messages": "sayToRun",
      "get /runs/{id}/messages": "getRunMessages",
      "post /runs/{id}/answers": "answerRun",
      "get /runs/{id}/tally": "getRunTally",
      "get /questions": "listQuestions",
      "get /conversations/{id}": "getConversation",
      "post /runs/client": "createClientRun",
      "post /runs/{id}/tell": "tellRun",
      "get /runs/{id}/steps": "getRunSteps",
      "get /runs/{id}/artifacts": "listRunArtifacts",
      "post /runs/{id}/artifacts": "uploadRunArtifact",
      "get /runs/{id}/artifacts/{artifact_id}": "getRunArtifact",
      "delete /runs/{id}/artifacts/{artifact_id}": "deleteRunArtifact",
      "get /runs/{id}/artifacts/{artifact_id}/content": "downloadRunArtifact",
      "get /artifacts/{app}/{user}/{session}": "listArtifacts",
      "get /artifacts/{app}/{user}/{session}/{name}": "downloadArtifact",
      "put /artifacts/{app}/{user}/{session}/{name}": "saveArtifact",
      "delete /artifacts/{app}/{user}/{session}/{name}": "deleteArtifact",
      "get /artifacts/{app}/{user}/{session}/{name}/versions": "listArtifactVersions",
      "get /agents": "listAgents",
      "post /agents": "registerAgent",
      "get /agents/{name}": "getAgent",
      "put /agents/{name}": "putAgent",
      "delete /agents/{name}": "deleteAgent",
      "get /script-tools": "listScriptTools",
      "post /script-tools": "addScriptTool",
      "get /script-tools/{name}": "getScriptTool",
      "put /script-tools/{name}": "putScriptTool",
      "delete /script-tools/{name}": "deleteScriptTool",
      "post /script-tools/{name}/call": "callScriptTool",
      "post /mcp": "callMcp",
      "get /healthz": "getHealth",
      "get /readyz": "getReadiness",
      "get /health/live": "getLiveness",
      "get /health/ready": "getReady",
      "get /metrics": "getMetrics",
      "get /openapi.json": "getOpenApi",
      "get /docs": "getDocs",
      "get /": "getFrontPage",
      "get /favicon.ico": "getFavicon",
      "get /api/tasks": "listTasks",
      "post /api/tasks": "createTask",
      "get /api/tasks/{task_id}": "getTask",
      "delete /api/tasks/{task_id}": "deleteTask",
      "post /api/tasks/{task_id}/start": "startTask",
      "get /api/tasks/{task_id}/artifacts": "listTaskArtifacts",
      "post /api/tasks/{task_id}/artifacts": "uploadTaskArtifact",
      "get /api/tasks/{task_id}/artifacts/{artifact_id}": "getTaskArtifact",
      "delete /api/tasks/{task_id}/artifacts/{artifact_id}": "deleteTaskArtifact",
      "get /api/tasks/{task_id}/artifacts/{artifact_id}/download": "downloadTaskArtifact",
      "delete /ap/v1/agent/tasks/{task_id}": "deleteAgentTask",
      "post /ap/v1/agent/tasks/{task_id}/cancel": "cancelAgentTask",
      "post /api/tasks/{task_id}/pause": "pauseTask",
      "post /api/tasks/{task_id}/resume": "resumeTask",
      "post /api/tasks/{task_id}/cancel": "cancelTask",
      "get /api/tasks/{task_id}/events": "followTaskEvents",
      "get /api/tasks/{task_id}/steps": "listTaskSteps",
      "post /api/tasks/{task_id}/steps": "createTaskStep",
      "get /api/tasks/{task_id}/steps/{step_id}": "getTaskStep",
      "patch /api/tasks/{task_id}/steps/{step_id}": "updateTaskStep",
      "get /api/tasks/{task_id}/steps/{step_id}/artifacts": "listStepArtifacts",
      "post /api/tasks/{task_id}/steps/{step_id}/artifacts": "uploadStepArtifact",
      "get /api/tasks/{task_id}/steps/{step_id}/artifacts/{artifact_id}": "getStepArtifact",
      "delete /api/tasks/{task_id}/steps/{step_id}/artifacts/{artifact_id}": "deleteStepArtifact",
      "get /api/tasks/{task_id}/steps/{step_id}/artifacts/{artifact_id}/download": "downloadStepArtifact",
      // These are the official ones.
      "get /ap/v1/agent/tasks": "listAgentTasks",
      "post /ap/v1/agent/tasks": "createAgentTask",
      "get /ap/v1/agent/tasks/{task_id}": "getAgentTask",
      "get /ap/v1/agent/tasks/{task_id}/steps": "listAgentTaskSteps",
      "post /ap/v1/agent/tasks/{task_id}/steps": "executeAgentTaskStep",
      "get /ap/v1/agent/tasks/{task_id}/steps/{step_id}": "getAgentTaskStep",
      "get /ap/v1/agent/tasks/{task_id}/artifacts": "listAgentTaskArtifacts",
      "post /ap/v1/agent/tasks/{task_id}/artifacts": "uploadAgentTaskArtifacts",
      "get /ap/v1/agent/tasks/{task_id}/artifacts/{artifact_id}": "downloadAgentTaskArtifact",
      "get /ap/v1/heartbeat": "getHeartbeat",
      "get /ws": "connectTaskEvents",
      "post /atp/{agent}/execute": "executeAtpTask",
      "post /atp/{agent}/execute/stream": "streamAtpTask",
      "get /atp/{agent}/ws": "connectAtp",
      "get /tools/{run}": "listTools",
      "post /tools/{run}/{tool}": "callTool",
      "post /llm/{run_id}/v1/chat/completions": "createChatCompletion",
      "get /llm/{run_id}/v1/models": "listModels",
    });
  });

  it("have unique names, and each says how it succeeds and how it refuses", () => {
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { name, responses } of operations) {
      const statuses = Object.keys(responses);
      expect([name, statuses.some((status) => /^(?:2|101)/.test(status))]).toEqual([name, true]);
      expect([name, statuses.some((status) => status.startsWith("4"))]).toEqual([name, true]);
    }
  });

  it("share schemas that have names of their own, and enumerations that have one", () => {
    const { schemas } = document.components;
    expect(Object.keys(schemas).filter((name) => !/^[A-Z][A-Za-z]+$/.test(name))).toEqual([]);
    // A generator names what is inside after where it is: that must be nobody else's name.
    const taken = new Set(Object.keys(schemas));
    const inner = Object.entries(schemas).flatMap(([name, schema]) =>
      Object.entries((schema["properties"] ?? {}) as Record<string, Record<string, unknown>>)
        .filter(([, field]) => "enum" in field || "properties" in field)
        .map(
          ([field]) =>
            name + field.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
        ),
    );
    expect(inner.filter((name) => taken.has(name))).toEqual([]);
  });
});
