// The JSON Schemas of the protocol's document, as it prints them. Every message that an SDK sends must satisfy them.
import { createRequire } from "node:module";
import type { Ajv as AjvType } from "ajv";
import { expect } from "vitest";

// Both packages are CommonJS with a default export inside, which TypeScript and Node read differently.
const load = createRequire(import.meta.url);
const { Ajv } = load("ajv") as { Ajv: typeof AjvType };
const addFormats = load("ajv-formats") as (ajv: AjvType) => void;

const text = { type: "string" };
const whole = { type: "integer" };
const object = { type: "object" };
const uuid = { type: "string", format: "uuid" };

const described = { path: text, content_type: text, size_bytes: whole, content_hash: text };

const response = {
  type: "object",
  required: ["version", "task_id", "status", "artifacts", "metrics"],
  properties: {
    version: text,
    task_id: uuid,
    status: { type: "string", enum: ["completed", "failed", "timeout", "cancelled", "partial"] },
    artifacts: {
      type: "array",
      items: {
        type: "object",
        required: ["type"],
        oneOf: [
          { properties: { type: { const: "file" }, ...described, content: text }, required: ["path"] },
          {
            properties: { type: { const: "structured" }, name: text, schema: text, data: object },
            required: ["name", "data"],
          },
          { properties: { type: { const: "reference" }, ...described }, required: ["path"] },
        ],
      },
    },
    metrics: {
      type: "object",
      // The document makes these optional, but the SDKs always send them.
      required: ["total_tokens", "total_steps", "tool_calls", "llm_calls", "wall_time_seconds"],
      properties: {
        total_tokens: whole,
        input_tokens: whole,
        output_tokens: whole,
        total_steps: whole,
        tool_calls: whole,
        llm_calls: whole,
        wall_time_seconds: { type: "number" },
        cost_usd: { type: "number" },
      },
    },
    error: { type: ["string", "null"] },
    trace_id: text,
  },
};

const event = {
  type: "object",
  required: ["version", "task_id", "timestamp", "sequence", "event_type", "payload"],
  properties: {
    version: text,
    task_id: uuid,
    timestamp: { type: "string", format: "date-time" },
    sequence: { type: "integer", minimum: 0 },
    event_type: {
      type: "string",
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
    payload: object,
  },
};

const request = {
  type: "object",
  required: ["version", "task_id", "task"],
  properties: {
    version: { type: "string", pattern: "^\\d+\\.\\d+$" },
    task_id: uuid,
    task: {
      type: "object",
      required: ["description"],
      properties: {
        description: { type: "string", minLength: 1, maxLength: 10_000 },
        input_data: object,
        expected_artifacts: {
          type: "array",
          items: {
            type: "object",
            properties: { type: { type: "string", enum: ["file", "structured"] }, format: text, name: text },
          },
        },
      },
    },
    constraints: {
      type: "object",
      properties: {
        max_steps: { type: "integer", minimum: 1, maximum: 1000 },
        max_tokens: { type: "integer", minimum: 1, maximum: 10_000_000 },
        timeout_seconds: { type: "integer", minimum: 1, maximum: 86_400, default: 300 },
        allowed_tools: { type: "array", items: text },
        budget_usd: { type: "number", minimum: 0 },
      },
    },
    context: {
      type: "object",
      properties: {
        tools_endpoint: { type: "string", format: "uri" },
        workspace_path: text,
        environment: { type: "object", additionalProperties: text },
      },
    },
    metadata: object,
  },
};

const ajv = new Ajv({ strict: false });
addFormats(ajv);
export const validRequest = ajv.compile(request);
const validResponse = ajv.compile(response);
const validEvent = ajv.compile(event);

export function expectResponse(message: unknown): void {
  validResponse(message);
  expect(validResponse.errors, JSON.stringify(message)).toBeNull();
}

/** Expects that each event satisfies the schema, and that they are numbered from 0 without a gap. */
export function expectEvents(messages: readonly unknown[]): void {
  for (const [index, message] of messages.entries()) {
    validEvent(message);
    expect(validEvent.errors, JSON.stringify(message)).toBeNull();
    expect(message).toMatchObject({ sequence: index });
  }
}
