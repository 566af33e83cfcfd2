// Parts of 0.3, which say their kind, and parts of 1.0, whose content says it.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { isBase64 } from "../base64.ts";
import { legacyOf, withLegacy, withoutLegacy } from "../legacy.ts";
import { leaveOut, split, type Translation } from "../translating.ts";
import { withKind, withoutKind } from "./kinds.ts";

/** The names of 1.0 that would get a meaning which they do not have in 0.3. */
const CLAIMED = ["text", "raw", "url", "data", "filename", "mediaType"];
const BESIDE = ["filename", "mediaType"];

export function partUp(part: JsonObject): JsonObject {
  switch (part["kind"]) {
    case "text": {
      const { kind: _, text, ...rest } = part;
      const [fields, open] = split(rest, CLAIMED);
      return withLegacy({ text, ...open }, { fields });
    }
    case "file":
      return filePartUp(part);
    case "data": {
      const { kind: _, data, ...rest } = part;
      const [fields, open] = split(rest, CLAIMED);
      return withLegacy(unwrapped({ data, ...open }), { fields });
    }
    default: {
      const metadata = part["metadata"] === undefined || isJsonObject(part["metadata"]) ? [] : ["metadata"];
      const [fields, open] = split(part, [...metadata, ...(isPart(part) ? [] : CLAIMED)]);
      return withLegacy(open, { fields, form: { kind: "other" } });
    }
  }
}

function filePartUp(wire: JsonObject): JsonObject {
  const { file, ...rest } = withoutKind(wire);
  const [fields, open] = split(rest, CLAIMED);
  const { bytes, uri, name, mimeType, ...more } = isJsonObject(file) ? file : {};
  const unsaid = { ...more, ...(bytes !== undefined && uri !== undefined && { uri }) };
  const part = {
    ...(bytes === undefined ? { url: uri } : { raw: bytes }),
    ...(name !== undefined && { filename: name }),
    ...(mimeType !== undefined && { mediaType: mimeType }),
    ...open,
  };
  return withLegacy(part, { fields: { ...fields, ...(Object.keys(unsaid).length > 0 && { file: unsaid }) } });
}

/** Returns whether a part of an unknown kind can be read as one of 1.0: with one content at most, of its type. */
function isPart(part: JsonObject): boolean {
  const contents = ["text", "raw", "url", "data"].filter((name) => part[name] !== undefined);
  const texts = CLAIMED.filter((name) => name !== "data" && part[name] !== undefined);
  const { raw = "" } = part;
  if (typeof raw !== "string" || !isBase64(raw)) return false;
  return contents.length <= 1 && texts.every((name) => typeof part[name] === "string");
}

export function partDown(part: JsonObject, translation: Translation): JsonObject {
  const { fields = {}, form = {} } = legacyOf(part);
  if (form["kind"] === "other") return { ...withoutLegacy(part), ...fields };
  const { text, raw, url, data, ...rest } = part;
  if (text !== undefined) {
    return { text, ...withKind("text", leaveOut(rest, BESIDE, translation), translation), ...fields };
  }
  if (raw !== undefined || url !== undefined) {
    const { filename, mediaType, ...open } = leaveOut(rest, ["file"], translation);
    const { file: unsaid, ...more } = fields;
    const file = {
      ...(raw === undefined ? { uri: url } : { bytes: raw }),
      ...(filename !== undefined && { name: filename }),
      ...(mediaType !== undefined && { mimeType: mediaType }),
      ...(isJsonObject(unsaid) && unsaid),
    };
    return { file, ...withKind("file", open, translation), ...more };
  }
  if (data !== undefined) {
    const open = withKind("data", leaveOut(rest, BESIDE, translation), translation);
    return { ...wrapped(data, open, translation), ...fields };
  }
  return otherPartDown(part, translation);
}

/** Writes a part of an unknown later kind as `data`, which 0.3 has for any structure. */
function otherPartDown(part: JsonObject, translation: Translation): JsonObject {
  const { metadata, ...data } = withoutLegacy(part);
  if (isOtherKind(part["kind"])) return withoutLegacy(part);
  translation.lose("is of a kind that A2A 0.3 does not know, and is written as data");
  return { kind: "data", data, ...(metadata !== undefined && { metadata }) };
}

function isOtherKind(kind: Json | undefined): boolean {
  return typeof kind === "string" && !["", "text", "file", "data"].includes(kind);
}

/** Mark of SDKs that speak both versions on data that is not an object, and was therefore wrapped. */
const WRAPPED = "data_part_compat";

function wrapped(data: Json, rest: JsonObject, translation: Translation): JsonObject {
  if (isJsonObject(data)) return { data, ...rest };
  translation.lose("must be an object in A2A 0.3, and is written as its field `value`", "data");
  const metadata = isJsonObject(rest["metadata"]) ? rest["metadata"] : {};
  return { data: { value: data }, ...rest, metadata: { ...metadata, [WRAPPED]: true } };
}

function unwrapped(part: JsonObject): JsonObject {
  const { data, metadata } = part;
  if (!isJsonObject(metadata) || metadata[WRAPPED] !== true || !isJsonObject(data)) return part;
  const { value, ...more } = data;
  if (value === undefined || isJsonObject(value) || Object.keys(more).length > 0) return part;
  const { [WRAPPED]: _, ...kept } = metadata;
  const { metadata: __, ...rest } = part;
  return { ...rest, data: value, ...(Object.keys(kept).length > 0 && { metadata: kept }) };
}
