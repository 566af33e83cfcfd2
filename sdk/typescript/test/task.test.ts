import { createHash } from "node:crypto";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  AgentError,
  type AgentFunction,
  type AtpRequest,
  type AtpEvent,
  type AtpResponse,
  file,
  reference,
  structured,
} from "../src/index.ts";
import { runTask } from "../src/task/run-task.ts";
import { request, TASK_ID } from "./run-agent.ts";
import { expectEvents, expectResponse } from "../../atp-cases/schemas.ts";

async function run(
  agent: AgentFunction,
  more: object = {},
): Promise<{ response: AtpResponse; events: AtpEvent[] }> {
  const events: AtpEvent[] = [];
  const task = runTask(agent, request("do it", more) as unknown as AtpRequest, (event) => events.push(event));
  const response = await task.response;
  expectResponse(response);
  expectEvents(events);
  return { response, events };
}

const result = (data: unknown): unknown[] => [{ type: "structured", name: "result", data }];

describe("what a TypeScript agent returns", () => {
  test.for<[unknown, unknown[]]>([
    ["text", result({ output: "text" })],
    [7, result({ output: 7 })],
    [[1, 2], result({ output: [1, 2] })],
    [{ status: "ok", n: 1 }, result({ status: "ok", n: 1 })],
    [{ metrics: 5 }, result({ metrics: 5 })],
    [{ at: new Date(0), none: undefined }, result({ at: "1970-01-01T00:00:00.000Z" })],
    [undefined, []],
    [null, []],
    [{ status: "partial" }, []],
    [
      { artifacts: [structured("a", { b: 1 }, "s")] },
      [{ type: "structured", name: "a", schema: "s", data: { b: 1 } }],
    ],
  ])("becomes the artifacts of the response: %j", async ([returned, artifacts]) => {
    const { response } = await run(() => returned);
    expect(response.artifacts).toEqual(artifacts);
  });

  test("an answer sets status, error and metrics beside what was counted", async () => {
    const { response } = await run((_, emit) => {
      emit.llmRequest({ model: "m", input_tokens: 10, output_tokens: 5, cost_usd: 0.5 });
      emit.llmRequest({ model: "m", input_tokens: -4, output_tokens: Number.NaN });
      emit.toolCall({ tool: "t", call_id: "1", status: "started" });
      emit.toolCall({ tool: "t", call_id: "1", status: "success" });
      emit.progress({ current_step: 3 });
      return { status: "partial", artifacts: [], error: "not all", metrics: { total_steps: 9 } };
    });
    expect(response).toMatchObject({ status: "partial", error: "not all" });
    expect(response.metrics).toEqual({
      input_tokens: 10,
      output_tokens: 5,
      total_tokens: 15,
      llm_calls: 2,
      tool_calls: 1,
      total_steps: 9,
      cost_usd: 0.5,
      wall_time_seconds: expect.any(Number) as number,
    });
  });

  test.for<[string, () => unknown, RegExp]>([
    [
      "an artifact without path",
      () => ({ artifacts: [{ type: "file" }] }),
      /artifacts\[0\] of type file must have a path/,
    ],
    ["an artifact of no type", () => ({ artifacts: [{}] }), /artifacts\[0\] must have a type/],
    [
      "data that is no object",
      () => ({ artifacts: [{ type: "structured", name: "a", data: 1 }] }),
      /data that is an object/,
    ],
    [
      "half a token",
      () => ({ artifacts: [], metrics: { total_tokens: 0.5 } }),
      /metrics.total_tokens must be a whole number/,
    ],
    [
      "a circle",
      () => {
        const a: Record<string, unknown> = {};
        a["a"] = a;
        return a;
      },
      /circular/,
    ],
    ["a bigint", () => ({ a: 1n }), /BigInt/],
    [
      "a depth without end",
      () => {
        let a: unknown[] = [];
        for (let i = 0; i < 1000; i++) a = [a];
        return a;
      },
      /nested more than 200/,
    ],
    ["more than 10 MB", () => "x".repeat(11 * 1024 * 1024), /larger than 10 MB/],
  ])("%s fails and says why", async ([, agent, message]) => {
    const { response } = await run(agent);
    expect(response).toMatchObject({ status: "failed", error_code: "INTERNAL_ERROR", artifacts: [] });
    expect(response.error).toMatch(message);
  });

  test.for<[string, unknown, string, string]>([
    ["an error", new TypeError("oops"), "INTERNAL_ERROR", "oops"],
    [
      "an error of Node with a code of its own",
      Object.assign(new Error("gone"), { code: "ENOENT" }),
      "INTERNAL_ERROR",
      "gone",
    ],
    ["an AgentError", new AgentError("BUDGET_EXCEEDED", "too much"), "BUDGET_EXCEEDED", "too much"],
    ["a text", "just text", "INTERNAL_ERROR", "just text"],
    ["nothing", undefined, "INTERNAL_ERROR", "undefined"],
  ])("throwing %s fails with its message and no stack", async ([, thrown, code, error]) => {
    const { response } = await run(() => {
      throw thrown;
    });
    expect(response).toMatchObject({ status: "failed", error_code: code, error });
    expect(JSON.stringify(response)).not.toContain("task.test");
  });
});

describe("events of a TypeScript agent's task", () => {
  test("each method makes its kind, and none comes after the response", async () => {
    let late: (() => void) | undefined;
    const { events } = await run((_, emit) => {
      emit.toolCall({});
      emit.llmRequest({});
      emit.reasoning({ thought: "hm" });
      emit.stateChange({ from_state: "a", to_state: "b" });
      emit.artifactCreated({ path: "p" });
      emit.error({ message: "m", recoverable: true });
      emit.progress({ percentage: 1, custom: [1] });
      late = () => emit.progress({});
    });
    late?.();
    expect(events.map(({ event_type }) => event_type)).toEqual([
      "tool_call",
      "llm_request",
      "reasoning",
      "state_change",
      "artifact_created",
      "error",
      "progress",
    ]);
    expect(events.at(-1)?.payload).toEqual({ percentage: 1, custom: [1] });
  });

  test("a payload above 10 MB keeps its place and loses its content", async () => {
    const { events } = await run((_, emit) => {
      emit.progress({ message: "x".repeat(11 * 1024 * 1024) });
      emit.progress({ message: "next" });
    });
    expect(events.map(({ payload }) => payload)).toEqual([
      { dropped_bytes: expect.any(Number) as number },
      { message: "next" },
    ]);
  });
});

describe("artifacts of a TypeScript agent's task", () => {
  const hash = (bytes: string | Uint8Array): string =>
    `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

  test("a text travels as it is, bytes as base64, both with size and hash", () => {
    expect(file("a/report.md", "caf\u00e9")).toEqual({
      type: "file",
      path: "a/report.md",
      content_type: "text/markdown",
      size_bytes: 5,
      content_hash: hash("caf\u00e9"),
      content: "caf\u00e9",
    });
    const bytes = Uint8Array.from([0, 255, 1]);
    expect(file("x", bytes)).toMatchObject({
      content_type: "application/octet-stream",
      size_bytes: 3,
      content_hash: hash(bytes),
      content: "AP8B",
      content_encoding: "base64",
    });
  });

  test("redacted files have the right size and hash", async () => {
    const secret = "hunter2-secret";
    const bytes = Buffer.concat([Buffer.from([0, 255]), Buffer.from(secret)]);
    const { response } = await run(
      () => ({ artifacts: [file("a.txt", `<${secret}>`), file("b.bin", bytes)] }),
      {
        context: { environment: { KEY: secret } },
      },
    );
    const clean = Buffer.concat([Buffer.from([0, 255]), Buffer.from("[redacted:KEY]")]);
    expect(response.artifacts).toMatchObject([
      { content: "<[redacted:KEY]>", size_bytes: 16, content_hash: hash("<[redacted:KEY]>") },
      { content: clean.toString("base64"), size_bytes: clean.length, content_hash: hash(clean) },
    ]);
  });

  test("a reference has the size and hash of the file, and does not leave the workspace", async () => {
    const workspace = await mkdtemp(join(tmpdir(), "agent-"));
    try {
      await writeFile(join(workspace, "big.csv"), "a,b\n1,2\n");
      await symlink("/etc", join(workspace, "out"));
      const { response } = await run(
        async (task) => ({ artifacts: [await reference(task, "big.csv", "text/csv")] }),
        {
          context: { workspace_path: workspace },
        },
      );
      expect(response.artifacts).toEqual([
        {
          type: "reference",
          path: "big.csv",
          content_type: "text/csv",
          size_bytes: 8,
          content_hash: hash("a,b\n1,2\n"),
        },
      ]);
      for (const path of ["../x", "out/hostname", "/etc/hostname", ".", "missing"]) {
        await expect(reference({ workspace }, path)).rejects.toThrow(/workspace/);
      }
    } finally {
      await rm(workspace, { recursive: true });
    }
  });
});

test("a TypeScript agent's task has the parts of the request under short names", async () => {
  const sent = {
    task: { description: "d", input_data: { a: 1 }, expected_artifacts: ["r.md", { type: "file" }] },
    constraints: { max_steps: 3 },
    context: { workspace_path: "/w", environment: { A: "b" } },
    metadata: { m: 1 },
    extra: true,
  };
  await run((task) => {
    const { signal, tools, request: raw, ...rest } = task;
    expect(rest).toEqual({
      id: TASK_ID,
      description: "d",
      input: { a: 1 },
      expectedArtifacts: [{ name: "r.md" }, { type: "file" }],
      constraints: { max_steps: 3 },
      workspace: "/w",
      env: { A: "b" },
      metadata: { m: 1 },
    });
    expect(raw).toMatchObject({ extra: true });
    expect([signal.aborted, typeof tools.call]).toEqual([false, "function"]);
  }, sent).then(({ response }) => expect(response).toMatchObject({ status: "completed" }));
});
