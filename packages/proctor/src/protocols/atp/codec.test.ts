import { describe, expect, it } from "vitest";
import type { Run } from "../../core/run.ts";
import { decodeArtifact, decodeMetrics } from "./artifacts.ts";
import { decodeResponse, encodeResponse } from "./codec.ts";
import { atpResponse } from "./wire.ts";

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

  it("says which artifact is no artifact, and where", () => {
    expect(decodeArtifact({ type: "file" }, 3)).toEqual({
      violation: { rule: "atp.artifact", message: expect.any(String) as string, where: "artifacts.3.path" },
    });
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
