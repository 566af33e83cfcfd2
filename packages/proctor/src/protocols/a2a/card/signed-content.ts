// The text of a card that its signatures are made of: without them, without what says nothing, in the canonical form of RFC 8785.
// Specification 1.0, section 8.4.1.
import { canonicalJson } from "../../../core/canonical-json.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { CARD_PRESENCE, type Presence, type PresenceTable } from "./card-presence.ts";

/**
 * `specification` is the form of section 8.4.1, including unknown fields. `sdk` is what the SDKs sign: they first make an object of the .proto of a
 * card, which drops unknown fields and whatever is empty, mandatory or not.
 */
export const CONTENT_FORMS = ["specification", "sdk"] as const;
export type ContentForm = (typeof CONTENT_FORMS)[number];

export function signedContent(card: JsonObject, form: ContentForm): string {
  const { signatures: _, ...rest } = card;
  const said = saying(rest, CARD_PRESENCE, form);
  return canonicalJson(form === "sdk" ? (filled(said) ?? {}) : said);
}

function saying(value: JsonObject, table: PresenceTable, form: ContentForm): JsonObject {
  const entries = Object.entries(value).flatMap(([name, field]): [string, Json][] => {
    const presence = Object.hasOwn(table, name) ? table[name] : undefined;
    if (field == null) return [];
    if (!presence) return form === "specification" ? [[name, field]] : [];
    const kept = inside(field, presence, form);
    return isLeftOut(field, presence) ? [] : [[name, kept]];
  });
  return Object.fromEntries(entries);
}

function inside(value: Json, { fields, map }: Presence, form: ContentForm): Json {
  if (!fields) return value;
  const within = (entry: Json): Json => (isJsonObject(entry) ? saying(entry, fields, form) : entry);
  if (Array.isArray(value)) return value.map(within);
  if (!map || !isJsonObject(value)) return within(value);
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, within(entry ?? null)]));
}

function isLeftOut(value: Json, { is, map }: Presence): boolean {
  if (is !== "plain") return false;
  if (Array.isArray(value)) return value.length === 0;
  if (isJsonObject(value)) return map === true && Object.keys(value).length === 0;
  return value === "" || value === false || value === 0;
}

/** Without empty texts, lists and objects, at any depth; undefined where nothing is left. */
function filled(value: Json): Json | undefined {
  if (value === null || value === "") return undefined;
  if (Array.isArray(value)) {
    const entries = value.map(filled).filter((entry) => entry !== undefined);
    return entries.length > 0 ? entries : undefined;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, entry]) => [name, filled(entry ?? null)] as const);
  const kept = entries.filter(([, entry]) => entry !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** Fields of the card that a form leaves out though they say something: a signature says nothing about them. */
export function uncoveredFields(card: JsonObject, form: ContentForm): string[] {
  if (form === "specification") return [];
  return unknownFields(card, { ...CARD_PRESENCE, signatures: { is: "plain" } }, "");
}

function unknownFields(value: JsonObject, table: PresenceTable, path: string): string[] {
  return Object.entries(value).flatMap(([name, field]) => {
    const presence = Object.hasOwn(table, name) ? table[name] : undefined;
    const place = path === "" ? name : `${path}.${name}`;
    if (!presence) return [place];
    const { fields, map } = presence;
    if (!fields) return [];
    const below: [string, Json | undefined][] = Array.isArray(field)
      ? field.map((entry, index) => [`${place}[${index}]`, entry])
      : map && isJsonObject(field)
        ? Object.entries(field).map(([key, entry]) => [`${place}.${key}`, entry])
        : [[place, field]];
    return below.flatMap(([at, entry]) => (isJsonObject(entry) ? unknownFields(entry, fields, at) : []));
  });
}
