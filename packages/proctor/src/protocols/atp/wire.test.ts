import { describe, expect, it } from "vitest";
import { atpEvent, atpRequest, compatArtifact, compatResponse } from "./wire.ts";

const TASK = "550e8400-e29b-41d4-a716-446655440000";
const event = {
  version: "1.0",
  task_id: TASK,
  timestamp: "2025-01-21T10:30:45.123Z",
  sequence: 0,
  event_type: "progress",
  payload: { percentage: 5 },
};
const request = (description: string): object => ({ version: "1.0", task_id: TASK, task: { description } });

describe("the strict profile of ATP", () => {
  it("keeps fields of a later minor version", () => {
    const later = { ...event, version: "1.7", spice: { hot: true } };
    expect(atpEvent.parse(later)).toEqual(later);
  });

  it("counts the description in characters, as JSON Schema does", () => {
    expect(atpRequest.safeParse(request("🙂".repeat(10_000))).success).toBe(true);
    expect(atpRequest.safeParse(request("🙂".repeat(10_001))).success).toBe(false);
  });

  it("does not look into free-form parts: they stay the same object", () => {
    expect(atpEvent.parse(event).payload).toBe(event.payload);
  });
});

describe("the compat profile of ATP", () => {
  it("needs nothing of a response but its status", () => {
    const odd = {
      version: {},
      task_id: 7,
      status: "completed",
      artifacts: "none",
      error: ["a"],
      error_code: 404,
    };
    expect(compatResponse.parse(odd)).toMatchObject({
      status: "completed",
      artifacts: ["none"],
      error: '["a"]',
      error_code: "404",
    });
    expect(compatResponse.safeParse({ status: "done" }).success).toBe(false);
  });

  it("takes content that is no text as JSON text", () => {
    const file = { type: "file", path: "a.json", content: { rows: [1] } };
    expect(compatArtifact.parse(file)).toMatchObject({ content: '{"rows":[1]}' });
  });
});
