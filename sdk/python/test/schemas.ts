// The JSON Schemas that the protocol's document prints for responses and events, as an oracle for what is sent.
import { Ajv } from "ajv";
import { default as addFormats } from "ajv-formats";
import { expect } from "vitest";

const file = {
  properties: {
    type: { const: "file" },
    path: { type: "string" },
    content_type: { type: "string" },
    size_bytes: { type: "integer" },
    content_hash: { type: "string" },
    content: { type: "string" },
  },
  required: ["path"],
};
const structured = {
  properties: {
    type: { const: "structured" },
    name: { type: "string" },
    schema: { type: "string" },
    data: { type: "object" },
  },
  required: ["name", "data"],
};
const reference = {
  properties: {
    type: { const: "reference" },
    path: { type: "string" },
    content_type: { type: "string" },
    size_bytes: { type: "integer" },
    content_hash: { type: "string" },
  },
  required: ["path"],
};
const integer = { type: "integer" };

const RESPONSE = {
  type: "object",
  required: ["version", "task_id", "status", "artifacts", "metrics"],
  properties: {
    version: { const: "1.0" },
    task_id: { type: "string", format: "uuid" },
    status: { enum: ["completed", "failed", "timeout", "cancelled", "partial"] },
    artifacts: {
      type: "array",
      items: { type: "object", required: ["type"], oneOf: [file, structured, reference] },
    },
    metrics: {
      type: "object",
      // Optional in the document; always there from us.
      required: ["total_tokens", "total_steps", "tool_calls", "llm_calls", "wall_time_seconds"],
      properties: {
        total_tokens: integer,
        input_tokens: integer,
        output_tokens: integer,
        total_steps: integer,
        tool_calls: integer,
        llm_calls: integer,
        wall_time_seconds: { type: "number" },
        cost_usd: { type: "number" },
      },
    },
    error: { type: ["string", "null"] },
    trace_id: { type: "string" },
  },
};

const EVENT = {
  type: "object",
  required: ["version", "task_id", "timestamp", "sequence", "event_type", "payload"],
  properties: {
    version: { const: "1.0" },
    task_id: { type: "string", format: "uuid" },
    timestamp: { type: "string", format: "date-time" },
    sequence: { type: "integer", minimum: 0 },
    event_type: {
      enum: [
        "tool_call",
        "llm_request",
        "reasoning",
        "state_change",
        "artifact_created",
        "error",
        "progress",
      ],
    },
    payload: { type: "object" },
  },
};

const ajv = new Ajv({ strict: false, allErrors: true });

addFormats.default(ajv);
const isResponse = ajv.compile(RESPONSE);
const isEvent = ajv.compile(EVENT);

export function expectResponse(response: unknown): void {
  isResponse(response);
  expect(isResponse.errors ?? [], JSON.stringify(response)).toEqual([]);
}

/** Valid, and numbered from 0 without gaps. */
export function expectEvents(events: readonly unknown[]): void {
  for (const [index, event] of events.entries()) {
    isEvent(event);
    expect(isEvent.errors ?? [], JSON.stringify(event)).toEqual([]);
    expect(event).toMatchObject({ sequence: index });
  }
}
