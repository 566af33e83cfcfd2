// The part of a value of A2A's model that the .proto of 0.3 has words for: what property tests may expect back.
import { isJsonObject, type Json, type JsonObject } from "../../../src/core/json.ts";

/** Names that 0.3 lacks, wherever they stand outside of what is free-form. */
const UNKNOWN = new Set(["tenant", "referenceTaskIds", "signatures"]);
const FREE_FORM = new Set(["metadata", "data", "params", "header", "scopes"]);

export function sayable03<T extends Json>(value: T): T {
  // Only fields that are optional go, and the rest keeps its type.
  return sayable(value) as T;
}

function sayable(value: Json): Json {
  if (Array.isArray(value)) return value.map(sayable);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).filter(([name, field]) => !UNKNOWN.has(name) && field !== undefined);
  const kept: JsonObject = Object.fromEntries(
    fields.map(([name, field]) => [name, FREE_FORM.has(name) ? field : sayable(field ?? null)]),
  );
  if (isPart(kept)) return sayablePart(kept);
  if (kept["historyLength"] === 0) delete kept["historyLength"];
  // In a message's configuration it belongs to the task that the message makes.
  if (isJsonObject(kept["taskPushNotificationConfig"])) delete kept["taskPushNotificationConfig"]["taskId"];
  if (kept["protocolVersion"] !== undefined) kept["protocolVersion"] = "0.3";
  // Mandatory in 0.3, and empty where nobody gave one.
  if (kept["status"] !== undefined && kept["id"] !== undefined) kept["contextId"] ??= "c";
  return kept;
}

function isPart(value: JsonObject): boolean {
  return (
    ["text", "raw", "data"].some((name) => name in value) ||
    ("url" in value && !("id" in value) && !("protocolBinding" in value) && !("organization" in value))
  );
}

function sayablePart({ text, raw, url, data, filename, mediaType, metadata }: JsonObject): JsonObject {
  const about = metadata === undefined ? {} : { metadata };
  const file = {
    ...about,
    ...(filename !== undefined && { filename }),
    ...(mediaType !== undefined && { mediaType }),
  };
  if (raw !== undefined) return { raw, ...file };
  if (url !== undefined) return { url, ...file };
  if (text !== undefined) return { text, ...about };
  return { data: isJsonObject(data) ? data : {}, ...about };
}
