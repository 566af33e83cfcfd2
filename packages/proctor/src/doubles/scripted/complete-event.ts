// An event of a script, ready to be sent: the ids of the task are put in (document 001, section 4.2, note), and what A2A requires but a
// script may leave out. Reading it in the version it was written for is left to the codec.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { A2aCodec } from "../../protocols/a2a/codec.ts";
import type { StreamResponse } from "../../protocols/a2a/model.ts";
import type { A2aVersion } from "../../protocols/a2a/service.ts";
import { EVENT_KEYS, EVENT_KINDS, type EventKey } from "./script.ts";

export interface EventIds {
  taskId: string;
  contextId: string;
  /** Whether there is a task that a message can belong to; false for an answer that is a message alone. */
  hasTask: boolean;
  /** Returns an id for a message or an artifact that has none. */
  newId: () => string;
  /** Returns the current time in ISO 8601. */
  now: () => string;
}

export type Codecs = Readonly<Record<A2aVersion, A2aCodec>>;

/** Throws A2aError INVALID_AGENT_RESPONSE for an event that no client could read. */
export function decodeEvent(event: JsonObject, ids: EventIds, codecs: Codecs): StreamResponse {
  if (typeof event["kind"] === "string") {
    const index = EVENT_KINDS.findIndex((kind) => kind === event["kind"]);
    const key = EVENT_KEYS[index] ?? "task";
    return codecs["0.3"].decodeFrame(complete(key, event, ids, "0.3"));
  }
  const key = eventKey(event);
  const inner = event[key];
  const completed = isJsonObject(inner) ? complete(key, inner, ids, "1.0") : inner;
  return codecs["1.0"].decodeFrame({ ...event, [key]: completed });
}

/** Returns which of the four kinds an event is, in the form of either version. */
export function eventKey(event: JsonObject): EventKey {
  const index = EVENT_KINDS.findIndex((kind) => kind === event["kind"]);
  return EVENT_KEYS[index] ?? EVENT_KEYS.find((key) => isJsonObject(event[key])) ?? "task";
}

function complete(key: EventKey, event: JsonObject, ids: EventIds, version: A2aVersion): JsonObject {
  const { taskId, contextId } = ids;
  switch (key) {
    case "task":
      return { ...event, id: taskId, contextId, status: completeStatus(event["status"], ids, version) };
    case "message":
      return completeMessage(event, ids, version);
    case "statusUpdate":
      return { ...event, taskId, contextId, status: completeStatus(event["status"], ids, version) };
    case "artifactUpdate": {
      const { artifact } = event;
      const named = isJsonObject(artifact) ? { artifactId: ids.newId(), ...artifact } : artifact;
      return { ...event, taskId, contextId, artifact: named };
    }
  }
}

function completeStatus(status: Json | undefined, ids: EventIds, version: A2aVersion): Json | undefined {
  if (!isJsonObject(status)) return status;
  const { message } = status;
  return {
    timestamp: ids.now(),
    ...status,
    ...(isJsonObject(message) && { message: completeMessage(message, ids, version) }),
  };
}

function completeMessage(message: JsonObject, ids: EventIds, version: A2aVersion): JsonObject {
  const { taskId, contextId, hasTask, newId } = ids;
  const { taskId: _, ...rest } = message;
  return {
    ...(version === "0.3" ? { kind: "message", role: "agent" } : { role: "ROLE_AGENT" }),
    ...rest,
    messageId: typeof rest["messageId"] === "string" ? rest["messageId"] : newId(),
    contextId,
    ...(hasTask && { taskId }),
  };
}
