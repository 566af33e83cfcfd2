// What the messages of A2A 0.3 have in common: kinds, parts, states and roles. Section numbers are those of specification 0.3.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { base64 } from "../base64.ts";
import { anyObject, inSection, object as objectOf, required, text } from "../readers.ts";
import type { Reader } from "../reading.ts";
import { roleOfAnyName, stateOfLegacyName, stateOfOtherName } from "../state-names.ts";

export function object(fields: Parameters<typeof objectOf>[0], section?: string): Reader {
  return objectOf(fields, section === undefined ? {} : { section });
}

/** Reads the `kind` of an object that can be nothing else in its place: a missing one is forgiven. */
export function ofKind(kind: string, read: Reader): Reader {
  return (value, reading) => {
    if (isJsonObject(value) && value["kind"] !== kind) {
      if (value["kind"] == null) reading.odd("is missing", "kind");
      else reading.wrong(`must be ${JSON.stringify(kind)}`, "kind");
    }
    return read(value, reading);
  };
}

const metadata = anyObject;

const fileFields = object({ bytes: base64, uri: text, name: text, mimeType: text });

const file = inSection("6.6", (value, reading) => {
  const before = reading.found;
  const read = fileFields(value, reading);
  if (!isJsonObject(read)) return undefined;
  const { bytes, uri } = read;
  if (bytes !== undefined && uri !== undefined) reading.wrong("must have bytes or uri, and has both");
  if (bytes !== undefined || uri !== undefined) return read;
  if (reading.found === before) reading.wrong("must have bytes or uri");
  return undefined;
});

/** Reads data; lists and plain values are accepted from agents, because the model has a place for them. */
const data: Reader = (value, reading) => {
  if (!isJsonObject(value)) reading.wrongType("object", value);
  return value;
};

const PARTS: ReadonlyMap<Json | undefined, Reader> = new Map([
  ["text", object({ text: required(text), metadata }, "6.5.1")],
  ["file", object({ file: required(file), metadata }, "6.5.2")],
  ["data", object({ data: required(data), metadata }, "6.5.3")],
]);

/** Parts of other kinds are kept unchanged. */
export const part = inSection("6.5", (value, reading) => {
  if (!isJsonObject(value)) return reading.wrongType("object", value);
  const { kind } = value;
  if (typeof kind === "string" && kind !== "")
    return PARTS.get(kind)?.(value, reading) ?? (PARTS.has(kind) ? undefined : value);
  const meant = kindOfContent(value);
  if (meant === undefined || kind != null) return reading.wrong('must be "text", "file" or "data"', "kind");
  reading.odd("is missing", "kind");
  const read = PARTS.get(meant)?.(value, reading);
  return isJsonObject(read) ? { ...read, kind: meant } : undefined;
});

function kindOfContent(value: JsonObject): string | undefined {
  return ["text", "file", "data"].find((name) => value[name] !== undefined);
}

/** States of later versions are kept unchanged. */
export const state: Reader = (value, reading) => {
  if (typeof value !== "string") return reading.wrongType("string", value);
  if (value === "") return reading.wrong("must not be empty");
  if (stateOfLegacyName(value) !== undefined) return value;
  reading.odd(
    stateOfOtherName(value) === undefined
      ? "is no state of this version"
      : "is not how this version calls it",
  );
  return value;
};

export const role: Reader = (value, reading) => {
  if (value === "user" || value === "agent") return value;
  const meant = typeof value === "string" ? roleOfAnyName(value) : undefined;
  reading.wrong('must be "user" or "agent"');
  return meant;
};
