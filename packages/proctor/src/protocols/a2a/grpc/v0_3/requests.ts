// Requests of 0.3: its ProtoJSON ↔ its JSON. In the .proto resources have names, `tasks/{id}`; clients that keep to the examples of 0.3's
// text instead send ids and messages in the form of JSON, which pass as they are.
import { isJsonObject, type Json, type JsonObject } from "../../../../core/json.ts";
import type { RequestOperation } from "../../codec.ts";
import { A2aError } from "../../errors.ts";
import type { LossNotes } from "../loss-notes.ts";
import { changeFields, object, present, type Change } from "./change-fields.ts";
import * as fromProto from "./from-proto-json.ts";
import { pushConfigIdsOf, pushConfigName, taskIdOf, taskName } from "./resource-names.ts";
import * as toProto from "./to-proto-json.ts";

type Changes = Readonly<Record<RequestOperation, Change>>;

const same: Change = (json) => json;

const sendFromProto = object((json, notes) => {
  const { message } = json;
  if (isJsonObject(message) && message["content"] === undefined && message["parts"] !== undefined)
    return json;
  return changeFields(json, { message: fromProto.message, configuration: fromProto.configuration }, notes);
});

const taskFromProto = object(({ name, historyLength, ...rest }) => ({
  ...rest,
  ...fromProto.historyLength(historyLength),
  ...(name === undefined ? {} : { id: taskIdOf(name) ?? refuse("name", "tasks/{id}") }),
}));

const configFromProto = object(({ name, ...rest }) => {
  if (name === undefined) return rest;
  const { taskId, id } = pushConfigIdsOf(name) ?? refuse("name", "tasks/{id}/pushNotificationConfigs/{id}");
  return { ...rest, id: taskId, pushNotificationConfigId: id };
});

const listFromProto = object(({ parent, ...rest }) => ({
  ...rest,
  ...(parent === undefined ? {} : { id: taskIdOf(parent) ?? refuse("parent", "tasks/{id}") }),
}));

/** The configuration may stand in `config`, as the .proto has it, or be the body itself, as its HTTP annotation has it. */
const createFromProto = object(({ parent, configId, config, ...rest }, notes) => {
  const given = fromProto.pushConfig(isJsonObject(config) ? config : rest, notes);
  const { taskId, pushNotificationConfig, ...flat }: JsonObject = isJsonObject(given) ? given : {};
  const inner = isJsonObject(pushNotificationConfig) ? pushNotificationConfig : {};
  const parentId =
    parent === undefined ? undefined : (parentTaskOf(parent) ?? refuse("parent", "tasks/{id}"));
  return {
    ...present({ taskId: parentId ?? taskId }),
    pushNotificationConfig: {
      ...flat,
      ...(configId === "" ? {} : present({ id: configId })),
      ...inner,
    },
  };
});

/** The annotation of the .proto spells it `task/{id}/pushNotificationConfigs`, its text `tasks/{id}`. */
function parentTaskOf(parent: Json): string | undefined {
  return typeof parent === "string"
    ? taskIdOf(parent.replace(/^task\//, "tasks/").replace(/\/pushNotificationConfigs$/, ""))
    : undefined;
}

function refuse(field: string, form: string): never {
  const description = `must be ${form}`;
  throw new A2aError("INVALID_PARAMS", `${field} ${description}`, { fields: [{ field, description }] });
}

export const requestsFromProto: Changes = {
  send: sendFromProto,
  stream: sendFromProto,
  getTask: taskFromProto,
  cancelTask: taskFromProto,
  subscribe: taskFromProto,
  createPushConfig: createFromProto,
  getPushConfig: configFromProto,
  deletePushConfig: configFromProto,
  listPushConfigs: listFromProto,
  listTasks: same,
};

/** A call that does not say whether it waits does not, in the .proto; in JSON that is left open, and in 1.0 it does. */
const sendToProto = object((json, notes) => ({
  ...changeFields(json, { message: toProto.message }, notes),
  configuration: {
    blocking: true,
    ...(toProto.configuration(json["configuration"] ?? {}, notes.at("configuration")) as JsonObject),
  },
}));

const taskToProto = object(({ id, metadata, historyLength, ...rest }, notes) => {
  notes.drop({ metadata });
  return { ...rest, name: taskName(textOf(id)), ...toProto.historyLength(historyLength, notes) };
});

const configToProto = object(({ id, pushNotificationConfigId, metadata, ...rest }, notes) => {
  notes.drop({ metadata });
  return { ...rest, name: pushConfigName(textOf(id), textOf(pushNotificationConfigId)) };
});

const listToProto = object(({ id, metadata, ...rest }, notes) => {
  notes.drop({ metadata });
  return { ...rest, parent: taskName(textOf(id)) };
});

const createToProto = object((json, notes) => createRequest(json, notes));

function createRequest(json: JsonObject, notes: LossNotes): JsonObject {
  const { taskId, pushNotificationConfig } = json;
  const id = isJsonObject(pushNotificationConfig) ? textOf(pushNotificationConfig["id"]) : "";
  return { parent: taskName(textOf(taskId)), configId: id, config: toProto.pushConfig(json, notes) };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

export const requestsToProto: Changes = {
  send: sendToProto,
  stream: sendToProto,
  getTask: taskToProto,
  cancelTask: taskToProto,
  subscribe: taskToProto,
  createPushConfig: createToProto,
  getPushConfig: configToProto,
  deletePushConfig: configToProto,
  listPushConfigs: listToProto,
  listTasks: same,
};
