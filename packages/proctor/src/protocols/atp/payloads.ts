// What the payloads of the seven event kinds hold: document 000, "Event Types". Its schema says only "object"; the types
// are those of its examples. Core counts and shows these fields, so one of another type does not stay among them.
import type { AgentEventType, Violation } from "../../core/event.ts";
import type { Json, JsonObject } from "../../core/json.ts";

const KINDS = {
  text: (value: Json) => typeof value === "string",
  number: (value: Json) => typeof value === "number" && Number.isFinite(value),
  boolean: (value: Json) => typeof value === "boolean",
  list: (value: Json) => Array.isArray(value),
  "text or null": (value: Json) => value === null || typeof value === "string",
  /** Limited length, because core remembers open calls by it. */
  "text of at most 256 characters": (value: Json) => typeof value === "string" && value.length <= 256,
} as const satisfies Record<string, (value: Json) => boolean>;

type Fields = readonly (readonly [name: string, kind: keyof typeof KINDS])[];

/** `input` and `output` of a tool may be anything. `call_id` and `cost_usd` are extensions. */
const FIELDS: Record<AgentEventType, Fields> = {
  tool_call: [
    ["tool", "text"],
    ["duration_ms", "number"],
    ["status", "text"],
    ["error", "text or null"],
    ["call_id", "text of at most 256 characters"],
  ],
  llm_request: [
    ["model", "text"],
    ["input_tokens", "number"],
    ["output_tokens", "number"],
    ["duration_ms", "number"],
    ["temperature", "number"],
    ["stop_reason", "text"],
    ["cost_usd", "number"],
  ],
  reasoning: [
    ["thought", "text"],
    ["plan", "list"],
    ["step", "text"],
  ],
  state_change: [
    ["from_state", "text"],
    ["to_state", "text"],
    ["reason", "text"],
  ],
  artifact_created: [
    ["artifact_type", "text"],
    ["path", "text"],
    ["size_bytes", "number"],
  ],
  error: [
    ["error_type", "text"],
    ["message", "text"],
    ["recoverable", "boolean"],
    ["retry_after_ms", "number"],
  ],
  progress: [
    ["current_step", "number"],
    ["total_steps", "number"],
    ["percentage", "number"],
    ["message", "text"],
  ],
};

export interface SortedPayload {
  /** Fields of the right type, and unknown ones. */
  payload: JsonObject;
  /** Fields of the wrong type. */
  misfits?: JsonObject;
  violations: Violation[];
}

export function sortPayload(type: AgentEventType, payload: JsonObject): SortedPayload {
  const violations: Violation[] = [];
  const misfits: JsonObject = {};
  for (const [name, kind] of FIELDS[type]) {
    const value = payload[name];
    if (value === undefined || KINDS[kind](value)) continue;
    misfits[name] = value;
    violations.push({
      rule: "atp.event.payload",
      message: `${name} must be a ${kind}`,
      where: `event.payload.${name}`,
    });
  }
  if (violations.length === 0) return { payload, violations };
  const fitting = Object.entries(payload).filter(([name]) => !Object.hasOwn(misfits, name));
  return { payload: Object.fromEntries(fitting), misfits, violations };
}
