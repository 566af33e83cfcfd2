// Frames of a task in A2A 1.0's JSON, for tests that play an agent.
import type { JsonObject } from "../../../src/core/json.ts";

export const TASK = "t-1";
export const CONTEXT = "c-1";

type State =
  | "SUBMITTED"
  | "WORKING"
  | "COMPLETED"
  | "FAILED"
  | "CANCELED"
  | "REJECTED"
  | "INPUT_REQUIRED"
  | "AUTH_REQUIRED";

export function agentMessage(text: string, messageId = `m-${text}`): JsonObject {
  return { messageId, role: "ROLE_AGENT", parts: [{ text }], taskId: TASK, contextId: CONTEXT };
}

export function statusOf(state: State, text?: string): JsonObject {
  return { state: `TASK_STATE_${state}`, ...(text !== undefined && { message: agentMessage(text) }) };
}

export function taskOf(state: State, more: JsonObject = {}, text?: string): JsonObject {
  return { id: TASK, contextId: CONTEXT, status: statusOf(state, text), ...more };
}

export function statusFrame(state: State, text?: string): JsonObject {
  return { statusUpdate: { taskId: TASK, contextId: CONTEXT, status: statusOf(state, text) } };
}

export function artifactFrame(text: string, more: JsonObject = {}, artifactId = "a-1"): JsonObject {
  const artifact = { artifactId, name: "answer.txt", parts: [{ text }] };
  return { artifactUpdate: { taskId: TASK, contextId: CONTEXT, artifact, ...more } };
}
