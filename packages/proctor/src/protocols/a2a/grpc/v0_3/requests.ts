// Requests of 0.3: its ProtoJSON → its JSON. In the .proto resources have names, `tasks/{id}`; clients that keep to the examples of 0.3's
// text instead send ids and messages in the form of JSON, which pass as they are.
import { isJsonObject, type Json, type JsonObject } from "../../../../core/json.ts";
import type { RequestOperation } from "../../codec.ts";
import { A2aError } from "../../errors.ts";
import { only, translateFields, type Translation, type Translator } from "../../translating.ts";
import {
  configurationFromProto,
  historyLengthFromProto,
  messageFromProto,
  pushConfigFromProto,
} from "./from-proto-json.ts";
import { present } from "./present.ts";
import { pushConfigIdsOf, taskIdOf } from "./resource-names.ts";

function send(json: JsonObject, translation: Translation): JsonObject {
  const { message } = json;
  const isJsonForm =
    isJsonObject(message) && message["content"] === undefined && message["parts"] !== undefined;
  if (isJsonForm) return json;
  const fields = { message: only(messageFromProto), configuration: only(configurationFromProto) };
  return translateFields(json, fields, translation);
}

function task({ name, historyLength, ...rest }: JsonObject): JsonObject {
  return {
    ...rest,
    ...historyLengthFromProto(historyLength),
    ...(name !== undefined && { id: taskIdOf(name) ?? refuse("name", "tasks/{id}") }),
  };
}

function config({ name, ...rest }: JsonObject): JsonObject {
  if (name === undefined) return rest;
  const { taskId, id } = pushConfigIdsOf(name) ?? refuse("name", "tasks/{id}/pushNotificationConfigs/{id}");
  return { ...rest, id: taskId, pushNotificationConfigId: id };
}

function listConfigs({ parent, ...rest }: JsonObject): JsonObject {
  return { ...rest, ...(parent !== undefined && { id: parentTaskOf(parent) }) };
}

/** The configuration may stand in `config`, as the .proto has it, or be the body itself, as its HTTP annotation has it. */
function createConfig({ parent, configId, config: nested, ...rest }: JsonObject): JsonObject {
  const { taskId, pushNotificationConfig, ...flat } = pushConfigFromProto(
    isJsonObject(nested) ? nested : rest,
  );
  const inner = isJsonObject(pushNotificationConfig) ? pushNotificationConfig : {};
  return {
    ...present({ taskId: parent === undefined ? taskId : parentTaskOf(parent) }),
    pushNotificationConfig: { ...flat, ...(configId !== "" && present({ id: configId })), ...inner },
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

export const requestsFromProto: Readonly<Record<RequestOperation, Translator>> = {
  send: only(send),
  stream: only(send),
  getTask: only(task),
  cancelTask: only(task),
  subscribe: only(task),
  createPushConfig: only(createConfig),
  getPushConfig: only(config),
  deletePushConfig: only(config),
  listPushConfigs: only(listConfigs),
  // The .proto has no such call; over HTTP its parameters are those of JSON.
  listTasks: (json) => json,
};
