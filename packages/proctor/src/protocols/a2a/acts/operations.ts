// The operations of ACTS, and what they are in A2A: which operation, and where its parameters go. Names on the wire come from the bindings.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { A2aOperation } from "../service.ts";

const BY_NAME = {
  send_message: "send",
  send_streaming_message: "stream",
  get_task: "getTask",
  list_tasks: "listTasks",
  cancel_task: "cancelTask",
  subscribe_to_task: "subscribe",
  get_agent_card: "card",
  get_extended_agent_card: "extendedCard",
  create_push_config: "createPushConfig",
  get_push_config: "getPushConfig",
  list_push_configs: "listPushConfigs",
  delete_push_config: "deletePushConfig",
} as const satisfies Record<string, A2aOperation>;

export type ActsOperation = keyof typeof BY_NAME;
/** `Object.keys` is typed as string[]. */
export const OPERATIONS = Object.keys(BY_NAME) as [ActsOperation, ...ActsOperation[]];

export function isStreaming(name: ActsOperation): boolean {
  return name === "send_streaming_message" || name === "subscribe_to_task";
}

export interface Request {
  operation: A2aOperation;
  params: JsonObject;
}

/**
 * Returns the request of A2A 1.0 that a step asks for. ACTS puts a message's fields next to the message, wraps push configurations, and may ask for
 * the extended card as a kind of the card.
 */
export function requestOf(name: ActsOperation, params: JsonObject, newId: () => string): Request {
  const operation = BY_NAME[name];
  switch (operation) {
    case "send":
    case "stream":
      return { operation, params: withMessage(params, newId) };
    case "card": {
      const { extended, ...rest } = params;
      return extended === true ? { operation: "extendedCard", params: rest } : { operation, params };
    }
    case "listTasks": {
      const { cursor, ...rest } = params;
      return { operation, params: cursor === undefined ? params : { ...rest, pageToken: cursor } };
    }
    case "createPushConfig": {
      const { pushNotificationConfig: config, ...rest } = params;
      return { operation, params: isJsonObject(config) ? { ...config, ...rest } : params };
    }
    case "extendedCard":
    case "getTask":
    case "cancelTask":
    case "subscribe":
    case "getPushConfig":
    case "listPushConfigs":
    case "deletePushConfig":
      return { operation, params };
    default:
      return operation satisfies never;
  }
}

function withMessage(params: JsonObject, newId: () => string): JsonObject {
  const { message, taskId, contextId, ...rest } = params;
  if (!isJsonObject(message)) return params;
  const beside = Object.entries({ taskId, contextId }).filter(
    (entry): entry is [string, Json] => entry[1] !== undefined,
  );
  return { ...rest, message: { messageId: newId(), ...Object.fromEntries(beside), ...message } };
}
