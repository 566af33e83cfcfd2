// The JSON of 0.3 → its ProtoJSON, piece by piece. What the .proto has no field for is left out and noted; fields that nobody knows stay,
// because they may be known at the other end.
import { isJsonObject, type Json, type JsonObject } from "../../../../core/json.ts";
import { each, leaveOut, only, translateFields, type Translation } from "../../translating.ts";
import { withoutKind } from "../../v0_3/kinds.ts";
import { protoRole, protoState } from "./names.ts";
import { present } from "./present.ts";
import { pushConfigName } from "./resource-names.ts";

const UNKNOWN_KIND = "is of a kind that the .proto of A2A 0.3 does not know";

/** The object without fields that JSON has and the .proto lacks. */
export function withoutFields(
  json: JsonObject,
  names: readonly string[],
  translation: Translation,
): JsonObject {
  return leaveOut(json, names, translation, "has no place in the .proto of A2A 0.3, and is left out");
}

function part(json: JsonObject, translation: Translation): JsonObject {
  const { kind, text, file, data, ...rest } = withoutFields(json, ["metadata"], translation);
  if (isJsonObject(file)) return { ...rest, file: fileOf(file, translation) };
  if (data !== undefined) return { ...rest, data: { data } };
  if (text !== undefined) return { ...rest, text };
  translation.lose(UNKNOWN_KIND);
  return { ...rest, ...present({ kind }) };
}

function fileOf(file: JsonObject, translation: Translation): JsonObject {
  translation.enter("file");
  const { bytes, uri, ...rest } = withoutFields(file, ["name"], translation);
  translation.leave();
  return { ...rest, ...(bytes === undefined ? present({ fileWithUri: uri }) : { fileWithBytes: bytes }) };
}

export function messageToProto(json: JsonObject, translation: Translation): JsonObject {
  const known = withoutFields(json, ["referenceTaskIds"], translation);
  const {
    kind: _,
    parts,
    ...rest
  } = translateFields(known, { role: protoRole, parts: each(part) }, translation);
  return { ...rest, ...present({ content: parts }) };
}

const message = only(messageToProto);
const status = only((json, translation) =>
  translateFields(json, { state: protoState, message }, translation),
);
const artifact = only((json, translation) => translateFields(json, { parts: each(part) }, translation));

export function taskToProto(json: JsonObject, translation: Translation): JsonObject {
  const fields = { status, artifacts: each(artifact), history: each(message) };
  return translateFields(withoutKind(json), fields, translation);
}

function statusUpdate(json: JsonObject, translation: Translation): JsonObject {
  return translateFields(withoutKind(json), { status }, translation);
}

function artifactUpdate(json: JsonObject, translation: Translation): JsonObject {
  return translateFields(withoutKind(json), { artifact }, translation);
}

type Payload = readonly [name: string, change: (json: JsonObject, translation: Translation) => JsonObject];
const PAYLOADS: ReadonlyMap<Json | undefined, Payload> = new Map<string, Payload>([
  ["task", ["task", taskToProto]],
  ["message", ["message", messageToProto]],
  ["status-update", ["statusUpdate", statusUpdate]],
  ["artifact-update", ["artifactUpdate", artifactUpdate]],
]);

/** A frame of a stream, or the answer to a message. */
export function payloadToProto(json: JsonObject, translation: Translation): JsonObject {
  const [name, change] = PAYLOADS.get(json["kind"]) ?? [];
  if (name !== undefined && change) return { [name]: change(json, translation) };
  translation.lose(UNKNOWN_KIND);
  return json;
}

export function pushConfigToProto({ taskId, pushNotificationConfig, ...rest }: JsonObject): JsonObject {
  const config = isJsonObject(pushNotificationConfig) ? pushNotificationConfig : {};
  return {
    ...rest,
    name: pushConfigName(textOf(taskId), textOf(config["id"])),
    pushNotificationConfig: config,
  };
}

/** What JSON says with 0, no messages at all, cannot be said: it would mean all of them. */
export function historyLengthToProto(value: Json | undefined, translation: Translation): JsonObject {
  if (value !== 0) return present({ historyLength: value });
  translation.lose(
    "is 0, which asks for all messages in the .proto of A2A 0.3; it is left out",
    "historyLength",
  );
  return {};
}

export function configurationToProto(json: JsonObject, translation: Translation): JsonObject {
  const { pushNotificationConfig, historyLength, ...rest } = json;
  return {
    ...rest,
    ...historyLengthToProto(historyLength, translation),
    ...present({ pushNotification: pushNotificationConfig }),
  };
}

export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
