// Walks of the translations between 0.3's JSON and its ProtoJSON: objects are changed, and whatever is no object where one belongs stays as
// it is, for the codec of 0.3 to judge.
import { isJsonObject, type Json, type JsonObject } from "../../../../core/json.ts";
import type { LossNotes } from "../loss-notes.ts";

export type Change = (json: Json, notes: LossNotes) => Json;

export function object(change: (json: JsonObject, notes: LossNotes) => Json): Change {
  return (json, notes) => (isJsonObject(json) ? change(json, notes) : json);
}

/** Changes the fields that are there; all others stay. */
export function changeFields(
  json: JsonObject,
  changes: Readonly<Record<string, Change>>,
  notes: LossNotes,
): JsonObject {
  const result = { ...json };
  for (const [name, change] of Object.entries(changes)) {
    const value = json[name];
    if (value !== undefined) result[name] = change(value, notes.at(name));
  }
  return result;
}

export function each(change: Change): Change {
  return (json, notes) =>
    Array.isArray(json) ? json.map((entry, index) => change(entry, notes.at(index))) : json;
}

/** The values of a map. */
export function values(change: Change): Change {
  return object((json, notes) =>
    Object.fromEntries(
      Object.entries(json).map(([key, value]) => [key, change(value ?? null, notes.at(key))]),
    ),
  );
}

/** The fields that are there. */
export function present(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
