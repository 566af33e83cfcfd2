// Requests of 0.3: its JSON → its ProtoJSON.
import { isJsonObject, type JsonObject } from "../../../../core/json.ts";
import type { RequestOperation } from "../../codec.ts";
import { only, translateFields, type Translation, type Translator } from "../../translating.ts";
import { pushConfigName, taskName } from "./resource-names.ts";
import {
  configurationToProto,
  historyLengthToProto,
  messageToProto,
  pushConfigToProto,
  textOf,
  withoutFields,
} from "./to-proto-json.ts";

/** A call that does not say whether it waits does not, in the .proto; in JSON that is left open, and in 1.0 it does. */
function send(json: JsonObject, translation: Translation): JsonObject {
  const fields = { message: only(messageToProto), configuration: only(configurationToProto) };
  const { configuration, ...rest } = translateFields(json, fields, translation);
  return { ...rest, configuration: { blocking: true, ...(isJsonObject(configuration) && configuration) } };
}

function task(json: JsonObject, translation: Translation): JsonObject {
  const { id, historyLength, ...rest } = withoutFields(json, ["metadata"], translation);
  return { ...rest, name: taskName(textOf(id)), ...historyLengthToProto(historyLength, translation) };
}

/** A configuration that has no id of its own has that of its task. */
function config(json: JsonObject, translation: Translation): JsonObject {
  const { id, pushNotificationConfigId = id, ...rest } = withoutFields(json, ["metadata"], translation);
  return { ...rest, name: pushConfigName(textOf(id), textOf(pushNotificationConfigId)) };
}

function listConfigs(json: JsonObject, translation: Translation): JsonObject {
  const { id, ...rest } = withoutFields(json, ["metadata"], translation);
  return { ...rest, parent: taskName(textOf(id)) };
}

function createConfig(json: JsonObject): JsonObject {
  const { taskId, pushNotificationConfig } = json;
  const id = isJsonObject(pushNotificationConfig) ? textOf(pushNotificationConfig["id"]) : "";
  return { parent: taskName(textOf(taskId)), configId: id, config: pushConfigToProto(json) };
}

export const requestsToProto: Readonly<Record<RequestOperation, Translator>> = {
  send: only(send),
  stream: only(send),
  getTask: only(task),
  cancelTask: only(task),
  subscribe: only(task),
  createPushConfig: only(createConfig),
  getPushConfig: only(config),
  deletePushConfig: only(config),
  listPushConfigs: only(listConfigs),
  listTasks: (json) => json,
};
