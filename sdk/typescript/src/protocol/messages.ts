// The messages of the Agent Test Protocol 1.0: what arrives (checked by check-request.ts) and what is sent.
import type { Json, JsonObject } from "./json.ts";

export const VERSION = "1.0";

/** Size limit of a message in bytes, for reading and for writing: peers refuse a larger one. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/** Task id of a response to a request without a usable id. */
export const NO_TASK_ID = "00000000-0000-0000-0000-000000000000";

export interface AtpRequest {
  version: string;
  task_id: string;
  task: {
    description: string;
    input_data?: JsonObject;
    expected_artifacts?: (ExpectedArtifact | string)[];
  };
  constraints?: Constraints;
  context?: { tools_endpoint?: string; workspace_path?: string; environment?: Record<string, string> };
  metadata?: JsonObject;
}

export interface ExpectedArtifact {
  type?: "file" | "structured";
  format?: string;
  name?: string;
}

export interface Constraints {
  max_steps?: number;
  max_tokens?: number;
  timeout_seconds?: number;
  /** Names of the tools that the task may call. All are allowed when it is absent or null. */
  allowed_tools?: string[] | null;
  budget_usd?: number;
}

/** Payload of each kind of event. Every field may be left out, and others may be added. */
export interface EventPayloads {
  tool_call: {
    tool?: string;
    input?: unknown;
    output?: unknown;
    duration_ms?: number;
    status?: string;
    error?: string | null;
    /** Id that links the start of a call to its end, so that the call counts once. */
    call_id?: string;
    [name: string]: unknown;
  };
  llm_request: {
    model?: string;
    input_tokens?: number;
    output_tokens?: number;
    duration_ms?: number;
    temperature?: number;
    stop_reason?: string;
    cost_usd?: number;
    [name: string]: unknown;
  };
  reasoning: { thought?: string; plan?: unknown; step?: string; [name: string]: unknown };
  state_change: { from_state?: string; to_state?: string; reason?: string; [name: string]: unknown };
  artifact_created: { artifact_type?: string; path?: string; size_bytes?: number; [name: string]: unknown };
  error: {
    error_type?: string;
    message?: string;
    recoverable?: boolean;
    retry_after_ms?: number;
    [name: string]: unknown;
  };
  progress: {
    current_step?: number;
    total_steps?: number;
    percentage?: number;
    message?: string;
    [name: string]: unknown;
  };
}

export type EventType = keyof EventPayloads;

export interface AtpEvent {
  version: string;
  task_id: string;
  timestamp: string;
  sequence: number;
  event_type: EventType;
  payload: JsonObject;
}

export const STATUSES = ["completed", "failed", "timeout", "cancelled", "partial"] as const;
export type Status = (typeof STATUSES)[number];

export interface FileArtifact {
  type: "file";
  path: string;
  content_type?: string;
  size_bytes?: number;
  content_hash?: string;
  content?: string;
  /** Encoding of `content`, set only when the content is not text. */
  content_encoding?: "base64";
}

export interface StructuredArtifact {
  type: "structured";
  name: string;
  schema?: string;
  data: JsonObject;
}

export interface ReferenceArtifact {
  type: "reference";
  path: string;
  content_type?: string;
  size_bytes?: number;
  content_hash?: string;
}

export type Artifact = FileArtifact | StructuredArtifact | ReferenceArtifact;

export interface Metrics {
  total_tokens?: number;
  input_tokens?: number;
  output_tokens?: number;
  total_steps?: number;
  tool_calls?: number;
  llm_calls?: number;
  wall_time_seconds?: number;
  cost_usd?: number;
}

export interface AtpResponse {
  version: string;
  task_id: string;
  status: Status;
  artifacts: Artifact[];
  metrics: Metrics;
  error: string | null;
  error_code?: string;
  error_details?: Json;
  trace_id?: string;
}
