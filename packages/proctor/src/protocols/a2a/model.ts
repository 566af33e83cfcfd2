// A2A inside Proctor: the shapes of A2A 1.0's JSON. Version 0.3 is translated at the edge (v0_3/codec.ts). Every object is open: fields
// that nobody here knows stay where they are, and unknown states and kinds of parts are kept as they came.
import type { Json, JsonObject } from "../../core/json.ts";

export const TASK_STATES = [
  "TASK_STATE_UNSPECIFIED",
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_AUTH_REQUIRED",
] as const;
export type KnownTaskState = (typeof TASK_STATES)[number];
/** One of TASK_STATES, or a state of a later version, kept as it came. */
export type TaskState = string;

export type Role = "ROLE_USER" | "ROLE_AGENT";

/** Exactly one of `text`, `raw` (base64), `url` and `data` is present; none of them in a part of an unknown kind. */
export interface A2aPart extends JsonObject {
  text?: string;
  raw?: string;
  url?: string;
  data?: Json;
  filename?: string;
  mediaType?: string;
  metadata?: JsonObject;
}

export interface A2aMessage extends JsonObject {
  messageId: string;
  contextId?: string;
  taskId?: string;
  role: Role;
  parts: A2aPart[];
  metadata?: JsonObject;
  extensions?: string[];
  referenceTaskIds?: string[];
}

export interface A2aArtifact extends JsonObject {
  artifactId: string;
  name?: string;
  description?: string;
  parts: A2aPart[];
  metadata?: JsonObject;
  extensions?: string[];
}

export interface TaskStatus extends JsonObject {
  state: TaskState;
  message?: A2aMessage;
  /** Time in ISO 8601. */
  timestamp?: string;
}

export interface A2aTask extends JsonObject {
  id: string;
  contextId?: string;
  status: TaskStatus;
  artifacts?: A2aArtifact[];
  history?: A2aMessage[];
  metadata?: JsonObject;
}

export interface StatusUpdate extends JsonObject {
  taskId: string;
  contextId: string;
  status: TaskStatus;
  metadata?: JsonObject;
}

export interface ArtifactUpdate extends JsonObject {
  taskId: string;
  contextId: string;
  artifact: A2aArtifact;
  append?: boolean;
  lastChunk?: boolean;
  metadata?: JsonObject;
}

/** One frame of a stream: exactly one of the four, or something of a later version, which is kept. */
export interface StreamResponse extends JsonObject {
  task?: A2aTask;
  message?: A2aMessage;
  statusUpdate?: StatusUpdate;
  artifactUpdate?: ArtifactUpdate;
}

export interface SendResult extends JsonObject {
  task?: A2aTask;
  message?: A2aMessage;
}

export interface PushConfig extends JsonObject {
  tenant?: string;
  id?: string;
  taskId?: string;
  url: string;
  token?: string;
  authentication?: JsonObject & { scheme: string; credentials?: string };
}

export interface SendRequest extends JsonObject {
  tenant?: string;
  message: A2aMessage;
  configuration?: JsonObject & {
    acceptedOutputModes?: string[];
    taskPushNotificationConfig?: PushConfig;
    historyLength?: number;
    /** True for an answer that does not wait for the task to end or to be interrupted; false when absent. */
    returnImmediately?: boolean;
  };
  metadata?: JsonObject;
}

export interface TaskRequest extends JsonObject {
  tenant?: string;
  id: string;
}

export interface GetTaskRequest extends TaskRequest {
  historyLength?: number;
}

export interface CancelTaskRequest extends TaskRequest {
  metadata?: JsonObject;
}

export interface ListTasksRequest extends JsonObject {
  tenant?: string;
  contextId?: string;
  status?: TaskState;
  /** Tasks of a page, 1 to 100; 50 when absent. */
  pageSize?: number;
  pageToken?: string;
  historyLength?: number;
  /** Time in ISO 8601. */
  statusTimestampAfter?: string;
  includeArtifacts?: boolean;
}

export interface ListTasksResult extends JsonObject {
  tasks: A2aTask[];
  /** Token of the next page; empty at the end. */
  nextPageToken: string;
  pageSize: number;
  totalSize: number;
}

/** Names one push configuration of a task. */
export interface PushConfigRequest extends JsonObject {
  tenant?: string;
  taskId: string;
  id: string;
}

export interface ListPushConfigsRequest extends JsonObject {
  tenant?: string;
  taskId: string;
  pageSize?: number;
  pageToken?: string;
}

export interface ListPushConfigsResult extends JsonObject {
  configs: PushConfig[];
  nextPageToken?: string;
}

export interface AgentInterface extends JsonObject {
  url: string;
  /** Binding: `JSONRPC`, `HTTP+JSON`, `GRPC`, or the URI of an unknown one. */
  protocolBinding: string;
  /** Version of the protocol: `1.0`, `0.3`. */
  protocolVersion: string;
  tenant?: string;
}

export interface AgentSkill extends JsonObject {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples?: string[];
  inputModes?: string[];
  outputModes?: string[];
  securityRequirements?: SecurityRequirement[];
}

export interface AgentExtension extends JsonObject {
  uri: string;
  description?: string;
  required?: boolean;
  params?: JsonObject;
}

/** An object `{schemes: {name: {list: [scope]}}}`. */
export type SecurityRequirement = JsonObject;

export interface AgentCard extends JsonObject {
  name: string;
  description: string;
  version: string;
  supportedInterfaces: AgentInterface[];
  provider?: JsonObject & { organization: string; url: string };
  documentationUrl?: string;
  iconUrl?: string;
  capabilities: JsonObject & {
    streaming?: boolean;
    pushNotifications?: boolean;
    extendedAgentCard?: boolean;
    extensions?: AgentExtension[];
  };
  /** Schemes by name; each has one key that says its kind: `httpAuthSecurityScheme`, `apiKeySecurityScheme`, … */
  securitySchemes?: Record<string, JsonObject>;
  securityRequirements?: SecurityRequirement[];
  defaultInputModes: string[];
  defaultOutputModes: string[];
  skills: AgentSkill[];
  signatures?: JsonObject[];
}
