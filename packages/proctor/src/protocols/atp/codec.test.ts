import { describe, expect, it } from "vitest";
import type { Artifact } from "../../core/artifact.ts";
import type { Json } from "../../core/json.ts";
import type { Job } from "../../core/ports/driver.ts";
import type { EventRecord } from "../../core/ports/store.ts";
import type { Run } from "../../core/run.ts";
import { decodeArtifact, decodeMetrics } from "./artifacts.ts";
import { decodeResponse, encodeEvent, encodeRequest, encodeResponse } from "./codec.ts";
import { atpRequest, atpResponse } from "./wire.ts";

const bytes = new Uint8Array([0, 255, 1, 2, 3]);
const base64 = Buffer.from(bytes).toString("base64");

describe("file artifacts: text as it is, base64 for binary", () => {
  it.each([
    ["text", { content: "hello", content_type: "text/plain" }, "hello"],
    ["text that looks like base64", { content: "aGVsbG8=", content_type: "text/plain" }, "aGVsbG8="],
    ["binary by its type", { content: base64, content_type: "application/octet-stream" }, bytes],
    ["binary by its size", { content: base64, size_bytes: bytes.length }, bytes],
    [
      "text by its size",
      { content: "aGVsbG8=", size_bytes: 8, content_type: "application/x-thing" },
      "aGVsbG8=",
    ],
    [
      "binary by the extension",
      { content: base64, content_type: "text/plain", content_encoding: "base64" },
      bytes,
    ],
    ["an unknown type that is no base64", { content: "hé!", content_type: "application/x-thing" }, "hé!"],
    ["no type and no size", { content: "abcd" }, "abcd"],
  ])("%s", (_name, fields, expected) => {
    const { artifact } = decodeArtifact({ type: "file", path: "x", ...fields }, 0);
    const content = artifact?.type === "file" ? artifact.content : undefined;
    expect(Buffer.from(content ?? [])).toEqual(Buffer.from(expected as string));
  });

  it("keeps unknown fields, except those that would pass for ours", () => {
    const wire = { type: "structured", name: "n", data: [1], spice: "hot", id: "fake", redacted: true };
    expect(decodeArtifact(wire, 0).artifact).toEqual({
      type: "structured",
      name: "n",
      data: [1],
      extensions: { spice: "hot" },
    });
  });

  it("leaves out optional fields that are not what they should be, not the artifact", () => {
    const odd = { content_type: 5, size_bytes: 1.5, content_hash: null, content: null };
    const { artifact, violations } = decodeArtifact({ type: "file", path: "x", ...odd }, 0);
    expect({ ...artifact }).toEqual({ type: "file", path: "x" });
    expect(violations).toEqual([]);
  });

  it("says which artifact is no artifact, and where", () => {
    expect(decodeArtifact({ type: "file" }, 3)).toEqual({
      violations: [
        { rule: "atp.artifact", message: "artifacts.3.path is missing", where: "artifacts.3.path" },
      ],
    });
  });

  it.each([
    [{ type: "file", path: "", content: "x" }, "artifacts.0.path is empty"],
    [{ type: "reference", path: "" }, "artifacts.0.path is empty"],
    [{ type: "structured", name: "", data: {} }, "artifacts.0.name is empty"],
    [{ type: "reference", path: "a", size_bytes: -1 }, "artifacts.0.size_bytes is -1; it is left out"],
  ])("notes what nobody can use, and keeps the artifact: %j", (wire, message) => {
    const { artifact, violations } = decodeArtifact(wire, 0);
    expect(violations).toMatchObject([{ rule: "artifact.value", message }]);
    expect(artifact).toMatchObject({ type: wire.type });
    expect(artifact).not.toHaveProperty("size_bytes");
  });
});

describe("responses", () => {
  it("give error, error_code and error_details to the failure", () => {
    const end = decodeResponse({
      status: "failed",
      error: "Tool 'database_query' not available",
      error_code: "TOOL_NOT_FOUND",
      error_details: { tool: "database_query" },
      spice: 1,
    });
    expect(end).toEqual({
      status: "failed",
      metrics: {},
      failure: {
        code: "TOOL_NOT_FOUND",
        message: "Tool 'database_query' not available",
        details: { tool: "database_query" },
      },
      extensions: { spice: 1 },
    });
  });

  it("leave out metrics that are no numbers and keep unknown ones", () => {
    expect(decodeMetrics({ total_tokens: "many", cost_usd: Number.NaN, cache_read_tokens: 5 })).toEqual({
      cache_read_tokens: 5,
    });
  });

  it.each([null, { code: "REJECTED", message: "not my kind of task" }])(
    "say failed, and REJECTED in their details, for a run that its agent rejected with %j",
    (failure) => {
      const run = { id: "r", status: "rejected", artifacts: [], metrics: {}, failure } as unknown as Run;
      const response = encodeResponse(run, () => undefined, {
        taskId: "550e8400-e29b-41d4-a716-446655440000",
      });
      expect(response).toMatchObject({ status: "failed", error_details: { code: "REJECTED" } });
      expect(response.error).toBe(failure?.message ?? "the agent would not take the task");
    },
  );

  it("are strict when we write them, whatever the failure", () => {
    const run = {
      id: "550e8400-e29b-41d4-a716-446655440000",
      status: "failed",
      artifacts: [{ id: "1", type: "file", path: "x.bin", content_hash: "sha256:0" }],
      metrics: { total_steps: 1 },
      failure: { code: "AGENT_CRASHED", message: "boom" },
      trace_id: "1".repeat(32),
    } as unknown as Run;
    const response = encodeResponse(run, () => bytes);
    expect(atpResponse.parse(response)).toEqual(response);
    expect(response).toMatchObject({
      error: "boom",
      error_code: "INTERNAL_ERROR",
      error_details: { code: "AGENT_CRASHED" },
      artifacts: [{ content: base64, content_encoding: "base64" }],
    });
  });
});

describe("an ended run as a response", () => {
  const run = {
    id: "550e8400-e29b-41d4-a716-446655440000",
    status: "completed",
    artifacts: [],
    metrics: {},
    failure: null,
    trace_id: "1".repeat(32),
  } as unknown as Run;
  const one = (artifact: object, content?: Uint8Array): unknown =>
    encodeResponse({ ...run, artifacts: [{ id: "a", ...artifact } as Artifact] }, () => content).artifacts[0];

  it("bears the client's own id of the task, where it has one", () => {
    expect(encodeResponse(run, () => undefined).task_id).toBe(run.id);
    expect(encodeResponse(run, () => undefined, { taskId: "smoke_1" }).task_id).toBe("smoke_1");
  });

  it("leaves out metrics that are no whole numbers where the document wants them, and keeps unknown ones", () => {
    const metrics = { total_tokens: 1.5, total_steps: 2, cost_usd: 0.25, cache_read_tokens: 1.5 };
    const { metrics: sent } = encodeResponse({ ...run, metrics }, () => undefined);
    expect(sent).toEqual({ total_steps: 2, cost_usd: 0.25, cache_read_tokens: 1.5 });
  });

  it.each<[string, Json, Json]>([
    ["an object as it is", { a: 1 }, { a: 1 }],
    ["a list wrapped", [1], { value: [1] }],
    ["null wrapped", null, { value: null }],
    ["a text wrapped", "x", { value: "x" }],
  ])("gives structured data: %s, in the record or stored", (_name, data, expected) => {
    const bytes = Buffer.from(JSON.stringify(data));
    expect(one({ type: "structured", name: "n", data })).toEqual({
      type: "structured",
      name: "n",
      data: expected,
    });
    expect(one({ type: "structured", name: "n" }, bytes)).toMatchObject({ data: expected });
  });

  it("gives stored data that is no JSON as text", () => {
    expect(one({ type: "structured", name: "n" }, Buffer.from("{"))).toMatchObject({ data: { value: "{" } });
  });

  it("leaves out a size that is no whole number", () => {
    expect(one({ type: "reference", path: "x", size_bytes: 1.5 })).toEqual({ type: "reference", path: "x" });
  });

  it("marks text that would be taken for base64", () => {
    const file = { type: "file", path: "x", content_type: "application/x-thing" };
    expect(one(file, Buffer.from("abcd"))).toMatchObject({ content: "abcd", content_encoding: "utf-8" });
    expect(one({ ...file, content_type: "text/plain" }, Buffer.from("abcd"))).not.toHaveProperty(
      "content_encoding",
    );
  });
});

describe("a task as a request", () => {
  const job: Job = {
    runId: "550e8400-e29b-41d4-a716-446655440000",
    spec: { protocol: "atp", transport: "stdio", command: ["x"] },
    task: { description: "do", expected_artifacts: [{ type: "file", name: "report.md" }] },
    constraints: { allowed_tools: null, budget_usd: 1 },
    context: { environment: { API_KEY: "k" } },
    metadata: {},
    traceId: "1".repeat(32),
  };

  it("is strict, with the default timeout of 300 said out loud", () => {
    const request = encodeRequest(job);
    expect(atpRequest.parse(request)).toEqual(request);
    expect(request.constraints).toEqual({ timeout_seconds: 300, budget_usd: 1 });
  });

  it("says which conversation it belongs to in its metadata, and nothing where it belongs to none", () => {
    const conversation = { id: "c-1", history: () => Promise.resolve([]) };
    expect(encodeRequest({ ...job, conversation }).metadata).toEqual({ conversation_id: "c-1" });
    const metadata = { team: "x", conversation_id: 5 };
    expect(encodeRequest({ ...job, metadata, conversation }).metadata).toEqual({
      team: "x",
      conversation_id: "c-1",
    });
    expect(encodeRequest({ ...job, metadata }).metadata).toEqual(metadata);
    expect(encodeRequest(job)).not.toHaveProperty("metadata");
  });

  it("tells no tools ([]) from all tools (absent)", () => {
    const none = encodeRequest({ ...job, constraints: { allowed_tools: [] } });
    expect(none.constraints?.allowed_tools).toEqual([]);
    expect(encodeRequest(job).constraints).not.toHaveProperty("allowed_tools");
  });

  it("never loses the task, however long it is", () => {
    const description = "x".repeat(50_000);
    expect(encodeRequest({ ...job, task: { description } }).task.description).toBe(description);
  });

  it.each([
    ["http://h:1/tools", "http://h:1/tools"],
    ["http://h/my tools", "http://h/my%20tools"],
    ["/tools", undefined],
  ])("gives the tools endpoint %j as %j", (endpoint, expected) => {
    const { context } = encodeRequest({ ...job, context: { tools_endpoint: endpoint, region: "eu" } });
    expect(context).toEqual({ region: "eu", ...(expected !== undefined && { tools_endpoint: expected }) });
  });
});

describe("a stored event as an ATP event", () => {
  const record: EventRecord = {
    run_id: "r",
    sequence: 9,
    timestamp: Date.parse("2025-01-21T10:30:45.123Z"),
    type: "progress",
    payload: '{"percentage":60,"big":12345678901234567890}',
    origin: null,
  };

  it("is text with the payload as it was written", () => {
    expect(encodeEvent(record, { taskId: 'a"b', sequence: 3 })).toBe(
      String.raw`{"version":"1.0","task_id":"a\"b","timestamp":"2025-01-21T10:30:45.123Z","sequence":3,"event_type":"progress","payload":{"percentage":60,"big":12345678901234567890}}`,
    );
  });

  it("keeps what the agent said beside the payload", () => {
    const text = encodeEvent({ ...record, origin: '{"sequence":0,"spice":1}' }, { taskId: "t", sequence: 3 });
    expect(JSON.parse(text ?? "")).toMatchObject({ sequence: 3, origin: { sequence: 0, spice: 1 } });
  });

  it("is nothing for what the platform records", () => {
    expect(encodeEvent({ ...record, type: "run.ended" }, { taskId: "t", sequence: 0 })).toBeUndefined();
    expect(encodeEvent({ ...record, type: "unknown" }, { taskId: "t", sequence: 0 })).toBeUndefined();
  });
});

describe("what the document does not know", () => {
  it("survives from an agent's response to a client's, and replaces nothing", () => {
    const { extensions } = decodeResponse({ status: "completed", novelty: { a: 1 }, trace_id: "theirs" });
    const run = {
      id: "6f1d7d9e-3f5b-4c6e-9d0a-1b2c3d4e5f60",
      status: "completed",
      artifacts: [],
      metrics: {},
      failure: null,
    };
    const ended = { ...run, trace_id: "ours", extensions: extensions ?? null } as unknown as Run;
    expect(encodeResponse(ended, () => undefined)).toMatchObject({
      novelty: { a: 1 },
      trace_id: "ours",
      version: "1.0",
    });
  });

  it("is kept when it is an error beside success", () => {
    const end = decodeResponse({ status: "completed", error: "a little", error_code: "TOOL_ERROR" });
    expect(end).toMatchObject({
      status: "completed",
      extensions: { error: "a little", error_code: "TOOL_ERROR" },
    });
    expect(end).not.toHaveProperty("failure");
  });
});
