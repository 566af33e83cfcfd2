// The JSON of 0.3 → its ProtoJSON, piece by piece. What the .proto has no field for is left out and noted; fields that nobody knows stay,
// because they may be known at the other end.
import { isJsonObject, type Json, type JsonObject } from "../../../../core/json.ts";
import type { LossNotes } from "../loss-notes.ts";
import { changeFields, each, object, present, type Change } from "./change-fields.ts";
import { protoRole, protoState } from "./names.ts";
import { pushConfigName } from "./resource-names.ts";

const part = object(({ kind, text, file, data, metadata, ...rest }, notes) => {
  notes.drop({ metadata });
  if (isJsonObject(file)) return { ...rest, file: fileOf(file, notes.at("file")) };
  if (data !== undefined) return { ...rest, data: { data } };
  if (text !== undefined) return { ...rest, text };
  notes.lose("is of a kind that the .proto of A2A 0.3 does not know");
  return { ...rest, ...present({ kind }) };
});

function fileOf({ bytes, uri, name, ...rest }: JsonObject, notes: LossNotes): JsonObject {
  notes.drop({ name });
  return { ...rest, ...(bytes === undefined ? present({ fileWithUri: uri }) : { fileWithBytes: bytes }) };
}

export const message = object(({ kind: _, parts, referenceTaskIds, ...rest }, notes) => {
  notes.drop({ referenceTaskIds });
  return {
    ...changeFields(rest, { role: protoRole }, notes),
    ...(parts !== undefined && { content: each(part)(parts, notes.at("parts")) }),
  };
});

const state: Change = (value, notes) => {
  const known = protoState(value);
  if (known !== undefined) return known;
  notes.lose("is a state that A2A 0.3 does not have; it became TASK_STATE_UNSPECIFIED");
  return "TASK_STATE_UNSPECIFIED";
};

const status = object((json, notes) => changeFields(json, { state, message }, notes));
const artifact = object((json, notes) => changeFields(json, { parts: each(part) }, notes));

export const task = object(({ kind: _, ...rest }, notes) =>
  changeFields(rest, { status, artifacts: each(artifact), history: each(message) }, notes),
);

const statusUpdate = object(({ kind: _, ...rest }, notes) => changeFields(rest, { status }, notes));
const artifactUpdate = object(({ kind: _, ...rest }, notes) => changeFields(rest, { artifact }, notes));

const PAYLOADS: ReadonlyMap<Json | undefined, readonly [name: string, change: Change]> = new Map([
  ["task", ["task", task]],
  ["message", ["message", message]],
  ["status-update", ["statusUpdate", statusUpdate]],
  ["artifact-update", ["artifactUpdate", artifactUpdate]],
]);

/** A frame of a stream, or the answer to a message. */
export const payload = object((json, notes) => {
  const [name, change] = PAYLOADS.get(json["kind"]) ?? [];
  if (name !== undefined && change) return { [name]: change(json, notes) };
  notes.lose("is of a kind that the .proto of A2A 0.3 does not know");
  return json;
});

export const pushConfig = object(({ taskId, pushNotificationConfig, ...rest }) => {
  const config = isJsonObject(pushNotificationConfig) ? pushNotificationConfig : {};
  const name = pushConfigName(String(taskId ?? ""), String(config["id"] ?? ""));
  return { ...rest, name, pushNotificationConfig: config };
});

/** What JSON says with 0, no messages at all, cannot be said: it would mean all of them. */
export function historyLength(value: Json | undefined, notes: LossNotes): JsonObject {
  if (value !== 0) return present({ historyLength: value });
  notes.lose("is 0, which stands for all messages in the .proto of A2A 0.3", "historyLength");
  return {};
}

export const configuration = object(({ pushNotificationConfig, historyLength: length, ...rest }, notes) => ({
  ...rest,
  ...historyLength(length, notes),
  ...present({ pushNotification: pushNotificationConfig }),
}));
