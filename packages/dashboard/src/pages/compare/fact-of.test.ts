import { describe, expect, it } from "vitest";
import type { Event } from "../../api/gen/schema.ts";
import { factOf } from "./fact-of.ts";

const event = (type: string, payload: Record<string, unknown>): Event => ({
  run_id: "r",
  sequence: 1,
  timestamp: "2026-01-01T00:00:00Z",
  type,
  payload,
});
const areSame = (type: string, a: Record<string, unknown>, b: Record<string, unknown>): boolean =>
  factOf(event(type, a)) === factOf(event(type, b));

describe("Steps of two runs", () => {
  it("differ when files of one name and size have other bytes", () => {
    const file = (content_hash: string) => ({ artifact: { path: "a.txt", size_bytes: 2, content_hash } });
    expect(areSame("artifact.added", file("sha256:1"), file("sha256:1"))).toBe(true);
    expect(areSame("artifact.added", file("sha256:1"), file("sha256:2"))).toBe(false);
  });

  it("differ when what a tool was given differs behind what a line shows", () => {
    const call = (end: string) => ({ tool: "t", input: { text: `${"x".repeat(1000)}${end}` } });
    expect(areSame("tool_call", call("a"), call("a"))).toBe(true);
    expect(areSame("tool_call", call("a"), call("b"))).toBe(false);
  });

  it("are the same whoever carried them out and however long they took", () => {
    expect(areSame("run.started", { worker: "a" }, { worker: "b" })).toBe(true);
    const model = (duration_ms: number) => ({ model: "m", input_tokens: 1, output_tokens: 2, duration_ms });
    expect(areSame("llm_request", model(10), model(2000))).toBe(true);
    expect(areSame("tool_call", { tool: "t", duration_ms: 1 }, { tool: "t", duration_ms: 2 })).toBe(true);
  });
});
