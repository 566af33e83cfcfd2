// Requests as the .proto of 0.3 has them, in JSON ↔ as 0.3's HTTP+JSON has them beside its paths. The .proto names resources, `tasks/{id}`,
// and cannot leave open what JSON can: whether a call waits, and how many messages it wants.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { RequestOperation } from "../codec.ts";
import { A2aError } from "../errors.ts";
import { only, type Translation, type Translator } from "../translating.ts";
import { pushConfigIdsOf, pushConfigName, taskIdOf, taskName } from "../v0_3/resource-names.ts";

/** Adds the false that protobuf does not send, and takes 0 as absent. JSON in the form of 0.3 comes from a client that would have sent both. */
function sendIn(json: JsonObject): JsonObject {
  const { message, configuration } = json;
  const isProto = isJsonObject(message) && message["content"] !== undefined;
  if (!isProto || !isJsonObject(configuration)) return json;
  return { ...json, configuration: { blocking: false, ...withoutZero(configuration) } };
}

/** Leaves out 0, which stands for all messages: JSON expresses that by leaving the field out. */
function withoutZero(json: JsonObject): JsonObject {
  const { historyLength, ...rest } = json;
  return historyLength === 0 || historyLength === "0" ? rest : json;
}

function taskIn(json: JsonObject): JsonObject {
  const { name, ...rest } = withoutZero(json);
  return { ...rest, ...(name !== undefined && { id: taskIdOf(name) ?? refuse("name", "tasks/{id}") }) };
}

function configIn({ name, ...rest }: JsonObject): JsonObject {
  if (name === undefined) return rest;
  const { taskId, id } = pushConfigIdsOf(name) ?? refuse("name", "tasks/{id}/pushNotificationConfigs/{id}");
  return { ...rest, id: taskId, pushNotificationConfigId: id };
}

function listIn({ parent, ...rest }: JsonObject): JsonObject {
  return { ...rest, ...(parent !== undefined && { id: parentTaskOf(parent) }) };
}

/** Accepts the configuration in `config`, as the .proto has it, or as the body itself, as its HTTP annotation has it. */
function createIn({ parent, configId, config, ...rest }: JsonObject): JsonObject {
  const { name, taskId, pushNotificationConfig, ...flat } = isJsonObject(config) ? config : rest;
  const ids = pushConfigIdsOf(name);
  const task = parent === undefined ? (ids?.taskId ?? taskIdOf(name) ?? taskId) : parentTaskOf(parent);
  const id = [ids?.id, configId].find((given) => given !== undefined && given !== "");
  return {
    ...(task !== undefined && { taskId: task }),
    pushNotificationConfig: {
      ...flat,
      ...(id !== undefined && { id }),
      ...(isJsonObject(pushNotificationConfig) && pushNotificationConfig),
    },
  };
}

/** Accepts `tasks/{id}` of the .proto, and `task/{id}/pushNotificationConfigs` of its HTTP annotation. */
function parentTaskOf(parent: Json): string {
  const name =
    typeof parent === "string"
      ? parent.replace(/^task\//, "tasks/").replace(/\/pushNotificationConfigs$/, "")
      : parent;
  return taskIdOf(name) ?? refuse("parent", "tasks/{id}");
}

function refuse(field: string, form: string): never {
  const description = `must be ${form}`;
  throw new A2aError("INVALID_PARAMS", `${field} ${description}`, { fields: [{ field, description }] });
}

const same: Translator = (json) => json;

export const requestsIn: Readonly<Record<RequestOperation, Translator>> = {
  send: only(sendIn),
  stream: only(sendIn),
  getTask: only(taskIn),
  cancelTask: only(taskIn),
  subscribe: only(taskIn),
  createPushConfig: only(createIn),
  getPushConfig: only(configIn),
  deletePushConfig: only(configIn),
  listPushConfigs: only(listIn),
  // The .proto has no such method.
  listTasks: same,
};

/** Writes `blocking` where a call leaves it out: in the .proto such a call does not wait, in 1.0 it does. */
function sendOut(json: JsonObject, translation: Translation): JsonObject {
  const { configuration } = json;
  translation.enter("configuration");
  const known = isJsonObject(configuration) ? noted(configuration, translation) : {};
  translation.leave();
  return { ...json, configuration: { blocking: true, ...known } };
}

/** Notes the loss of 0, which means no messages in JSON and all of them in the .proto. */
function noted(json: JsonObject, translation: Translation): JsonObject {
  if (json["historyLength"] === 0)
    translation.lose(
      "is 0, which asks for all messages in the .proto of A2A 0.3; it is left out",
      "historyLength",
    );
  return withoutZero(json);
}

function taskOut(json: JsonObject, translation: Translation): JsonObject {
  const { id, ...rest } = noted(json, translation);
  return { ...rest, name: taskName(textOf(id)) };
}

/** Gives a configuration without an id of its own that of its task. */
function configOut({ id, pushNotificationConfigId = id, ...rest }: JsonObject): JsonObject {
  return { ...rest, name: pushConfigName(textOf(id), textOf(pushNotificationConfigId)) };
}

function listOut({ id, ...rest }: JsonObject): JsonObject {
  return { ...rest, parent: taskName(textOf(id)) };
}

function createOut(config: JsonObject): JsonObject {
  const { taskId = "", id = "" } = pushConfigIdsOf(config["name"]) ?? {};
  return { parent: taskName(taskId || (taskIdOf(config["name"]) ?? "")), configId: id, config };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

export const requestsOut: Readonly<Record<RequestOperation, Translator>> = {
  send: only(sendOut),
  stream: only(sendOut),
  getTask: only(taskOut),
  cancelTask: only(taskOut),
  subscribe: only(taskOut),
  createPushConfig: only(createOut),
  getPushConfig: only(configOut),
  deletePushConfig: only(configOut),
  listPushConfigs: only(listOut),
  listTasks: same,
};
