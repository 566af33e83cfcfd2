// The public door of the package.
export { file } from "./artifacts/file.ts";
export { reference } from "./artifacts/reference.ts";
export { structured } from "./artifacts/structured.ts";
export { AgentError, type ErrorCode, ToolError } from "./protocol/errors.ts";
export type { Json, JsonObject } from "./protocol/json.ts";
export type {
  Artifact,
  AtpEvent,
  AtpRequest,
  AtpResponse,
  Constraints,
  EventPayloads,
  EventType,
  ExpectedArtifact,
  FileArtifact,
  Metrics,
  ReferenceArtifact,
  Status,
  StructuredArtifact,
} from "./protocol/messages.ts";
export { serve, type ServeOptions } from "./serve.ts";
export { type AgentServer, type AgentServerOptions, createAgentServer, type ServerLimits } from "./server.ts";
export type { Answer } from "./task/answer.ts";
export type { Emit } from "./task/emitter.ts";
export type { AgentFunction } from "./task/run-task.ts";
export type { Task } from "./task/task.ts";
export type { Tools } from "./task/tools.ts";
