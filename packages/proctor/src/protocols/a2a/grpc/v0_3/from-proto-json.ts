// The ProtoJSON of 0.3 → its JSON, piece by piece: kinds are named, parts and payloads lose a level, enums get their short names.
import { isJsonObject, type Json, type JsonObject } from "../../../../core/json.ts";
import { changeFields, each, object, present, type Change } from "./change-fields.ts";
import { jsonRole, jsonState } from "./names.ts";
import { pushConfigIdsOf, taskIdOf } from "./resource-names.ts";

/** A part that says its kind is one of 0.3's JSON already. */
const part = object((json) => {
  const { text, file, data, ...rest } = json;
  if (rest["kind"] !== undefined) return json;
  if (text !== undefined) return { kind: "text", text, ...rest };
  if (isJsonObject(file)) return { kind: "file", file: fileOf(file), ...rest };
  // A DataPart whose Struct was not sent has an empty one.
  if (isJsonObject(data)) return { kind: "data", data: data["data"] ?? {}, ...rest };
  return { ...rest, ...present({ file, data }) };
});

function fileOf({ fileWithBytes, fileWithUri, ...rest }: JsonObject): JsonObject {
  return { ...present({ bytes: fileWithBytes, uri: fileWithUri }), ...rest };
}

export const message = object(({ content, ...rest }, notes) => ({
  kind: "message",
  ...changeFields(rest, { role: jsonRole }, notes),
  ...(content !== undefined && { parts: each(part)(content, notes) }),
}));

const status = object((json, notes) => changeFields(json, { state: jsonState, message }, notes));
const artifact = object((json, notes) => changeFields(json, { parts: each(part) }, notes));

export const task = object((json, notes) => ({
  kind: "task",
  ...changeFields(json, { status, artifacts: each(artifact), history: each(message) }, notes),
}));

const statusUpdate = object((json, notes) => ({
  kind: "status-update",
  final: false,
  ...changeFields(json, { status }, notes),
}));

const artifactUpdate = object((json, notes) => ({
  kind: "artifact-update",
  ...changeFields(json, { artifact }, notes),
}));

const PAYLOADS: readonly (readonly [name: string, change: Change])[] = [
  ["task", task],
  ["message", message],
  ["statusUpdate", statusUpdate],
  ["artifactUpdate", artifactUpdate],
];

/** A frame of a stream, or the answer to a message. One that holds nothing of the kind stays, and is nobody's. */
export const payload = object((json, notes) => {
  const [name, change] = PAYLOADS.find(([known]) => json[known] !== undefined) ?? [];
  const value = name === undefined ? undefined : json[name];
  return change && value !== undefined ? change(value, notes) : json;
});

/** TaskPushNotificationConfig: the ids are in its name. */
export const pushConfig = object(({ name, pushNotificationConfig, ...rest }) => {
  const ids = pushConfigIdsOf(name);
  const inner = isJsonObject(pushNotificationConfig) ? pushNotificationConfig : {};
  return {
    ...rest,
    ...present({ taskId: ids?.taskId ?? taskIdOf(name) }),
    pushNotificationConfig: { ...inner, ...(ids && { id: ids.id }) },
  };
});

/** 0 stands for as many messages as there are, for which JSON has no number. */
export function historyLength(value: Json | undefined): JsonObject {
  return value === 0 || value === "0" ? {} : present({ historyLength: value });
}

export const configuration = object(({ pushNotification, historyLength: length, ...rest }) => ({
  // What protobuf does not send is false, and that is what the client said.
  blocking: false,
  ...rest,
  ...historyLength(length),
  ...present({ pushNotificationConfig: pushNotification }),
}));
