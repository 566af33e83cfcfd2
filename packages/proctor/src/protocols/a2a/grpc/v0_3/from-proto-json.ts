// The ProtoJSON of 0.3 → its JSON, piece by piece: kinds are named, parts and payloads lose a level, enums get their short names. Nothing
// is lost on this way.
import { isJsonObject, type Json, type JsonObject } from "../../../../core/json.ts";
import { each, only, translateFields, type Translation } from "../../translating.ts";
import { jsonRole, jsonState } from "./names.ts";
import { present } from "./present.ts";
import { pushConfigIdsOf, taskIdOf } from "./resource-names.ts";

/** A part that says its kind is one of 0.3's JSON already. */
function part(json: JsonObject): JsonObject {
  const { text, file, data, ...rest } = json;
  if (rest["kind"] !== undefined) return json;
  if (text !== undefined) return { kind: "text", text, ...rest };
  if (isJsonObject(file)) return { kind: "file", file: fileOf(file), ...rest };
  // A DataPart whose Struct was not sent has an empty one.
  if (isJsonObject(data)) return { kind: "data", data: data["data"] ?? {}, ...rest };
  return json;
}

function fileOf({ fileWithBytes, fileWithUri, ...rest }: JsonObject): JsonObject {
  return { ...present({ bytes: fileWithBytes, uri: fileWithUri }), ...rest };
}

export function messageFromProto({ content, ...rest }: JsonObject, translation: Translation): JsonObject {
  return {
    kind: "message",
    ...translateFields(rest, { role: jsonRole }, translation),
    ...(content !== undefined && { parts: each(part)(content, translation) }),
  };
}

const message = only(messageFromProto);
const status = only((json, translation) => translateFields(json, { state: jsonState, message }, translation));
const artifact = only((json, translation) => translateFields(json, { parts: each(part) }, translation));

export function taskFromProto(json: JsonObject, translation: Translation): JsonObject {
  const fields = { status, artifacts: each(artifact), history: each(message) };
  return { kind: "task", ...translateFields(json, fields, translation) };
}

function statusUpdate(json: JsonObject, translation: Translation): JsonObject {
  return { kind: "status-update", final: false, ...translateFields(json, { status }, translation) };
}

function artifactUpdate(json: JsonObject, translation: Translation): JsonObject {
  return { kind: "artifact-update", ...translateFields(json, { artifact }, translation) };
}

const PAYLOADS = {
  task: taskFromProto,
  message: messageFromProto,
  statusUpdate,
  artifactUpdate,
} as const;

/** A frame of a stream, or the answer to a message. One that holds nothing of the kind stays, and is nobody's. */
export function payloadFromProto(json: JsonObject, translation: Translation): Json {
  for (const [name, change] of Object.entries(PAYLOADS)) {
    const value = json[name];
    if (value !== undefined) return only(change)(value, translation);
  }
  return json;
}

/** TaskPushNotificationConfig: the ids are in its name. */
export function pushConfigFromProto({ name, pushNotificationConfig, ...rest }: JsonObject): JsonObject {
  const ids = pushConfigIdsOf(name);
  const inner = isJsonObject(pushNotificationConfig) ? pushNotificationConfig : {};
  return {
    ...rest,
    ...present({ taskId: ids?.taskId ?? taskIdOf(name) }),
    pushNotificationConfig: { ...inner, ...(ids && { id: ids.id }) },
  };
}

/** 0 stands for as many messages as there are, which JSON says by saying nothing. */
export function historyLengthFromProto(value: Json | undefined): JsonObject {
  return value === 0 || value === "0" ? {} : present({ historyLength: value });
}

export function configurationFromProto(json: JsonObject): JsonObject {
  const { pushNotification, historyLength, ...rest } = json;
  return {
    // What protobuf does not send is false, and that is what the client said.
    blocking: false,
    ...rest,
    ...historyLengthFromProto(historyLength),
    ...present({ pushNotificationConfig: pushNotification }),
  };
}
