// Requests as the .proto of 0.3 has them, in JSON ↔ as 0.3's HTTP+JSON has them beside its paths. The .proto names resources, `tasks/{id}`,
// and cannot leave open what JSON can: whether a call waits, and how many messages it wants.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { RequestOperation } from "../codec.ts";
import { A2aError } from "../errors.ts";
import { only, type Translation, type Translator } from "../translating.ts";
import { pushConfigIdsOf, pushConfigName, taskIdOf, taskName } from "../v0_3/resource-names.ts";

/** What protobuf does not send is false or 0. A message in the form of 0.3's JSON comes from somebody who would have sent them. */
function sendIn(json: JsonObject): JsonObject {
  const { message, configuration } = json;
  const isProto = isJsonObject(message) && message["content"] !== undefined;
  if (!isProto || !isJsonObject(configuration)) return json;
  return { ...json, configuration: { blocking: false, ...withoutZero(configuration) } };
}

/** 0 stands for as many messages as there are, which JSON says by saying nothing. */
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

/** The configuration may stand in `config`, as the .proto has it, or be the body itself, as its HTTP annotation has it. */
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

/** The .proto has `tasks/{id}`, its HTTP annotation `task/{id}/pushNotificationConfigs`. */
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
  // The .proto has no such call.
  listTasks: same,
};

/** A call that does not say whether it waits does not, in the .proto; in 1.0 it does. */
function sendOut(json: JsonObject, translation: Translation): JsonObject {
  const { configuration } = json;
  translation.enter("configuration");
  const known = isJsonObject(configuration) ? noted(configuration, translation) : {};
  translation.leave();
  return { ...json, configuration: { blocking: true, ...known } };
}

/** What JSON says with 0, no messages at all, cannot be said: it would mean all of them. */
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

/** A configuration that has no id of its own has that of its task. */
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
