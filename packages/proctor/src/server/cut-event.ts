// An event as a reader of a long log wants it: long texts and lists are cut, and the event says so. The whole one is a request away.
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";

/** An event whose JSON is at most this many times the length of a cut text is left as it is. */
const WORTH = 4;
/** Items of a list, and fields of an object, that are kept. */
const MOST_ITEMS = 50;
/** Levels of nesting that are kept. */
const DEEPEST = 8;

/** Returns the event's JSON, with texts of at most `chars` characters. */
export function cutEvent(json: string, chars: number): string {
  if (json.length <= chars * WORTH) return json;
  const event = JSON.parse(json) as JsonObject;
  const { payload, origin: _, ...rest } = event;
  const short = { ...rest, payload: cut(payload ?? {}, chars, 0), cut: true };
  const text = JSON.stringify(short);
  // It is long because it has many parts: only the names of its fields are left.
  return text.length <= chars * WORTH
    ? text
    : JSON.stringify({ ...rest, payload: names(payload), cut: true });
}

function cut(value: Json, chars: number, depth: number): Json {
  if (typeof value === "string") return value.length <= chars ? value : `${value.slice(0, chars)}…`;
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) return "…";
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => cut(item, chars, depth + 1));
  const fields = Object.entries(value).slice(0, MOST_ITEMS);
  return Object.fromEntries(fields.map(([name, inner]) => [name, cut(inner ?? null, chars, depth + 1)]));
}

/** Keeps the fields that are short by themselves, and replaces the others by `…`. */
function names(payload: Json | undefined): JsonObject {
  if (!isJsonObject(payload)) return {};
  const isShort = (value: unknown) =>
    typeof value === "number" ||
    typeof value === "boolean" ||
    (typeof value === "string" && value.length <= 200);
  const fields = Object.entries(payload).slice(0, MOST_ITEMS);
  return Object.fromEntries(
    fields.map(([name, value]) => [
      name.slice(0, 200),
      value === null || isShort(value) ? (value ?? null) : "…",
    ]),
  );
}
