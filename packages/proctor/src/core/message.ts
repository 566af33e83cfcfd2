// Something said in a run, by the user's side or by the agent's.
import type { Json, JsonObject } from "./json.ts";

interface PartNames extends JsonObject {
  media_type?: string;
  name?: string;
}

export type Part = PartNames &
  (
    | { kind: "text"; text: string }
    | { kind: "data"; data: Json }
    | { kind: "blob"; content_hash: string; size_bytes: number }
    /** A file at an address, which is never fetched without an allow rule. */
    | { kind: "url"; url: string }
  );

export interface Message extends JsonObject {
  id: string;
  role: "user" | "agent";
  parts: Part[];
  /** Ids of other runs or messages that the message speaks of. */
  references?: string[];
  /** Fields of a protocol's message that Proctor does not know; they are kept. */
  extensions?: JsonObject;
}

/** A message as a client sends it; without an id it gets a new one, and is then not recognised when it is sent twice. */
export interface NewMessage {
  id?: string;
  parts: Part[];
  references?: string[];
  extensions?: JsonObject;
}

/** Most characters of a message, its JSON included. */
export const MAX_MESSAGE_CHARS = 1024 * 1024;
/** Most messages that a run keeps. */
export const MAX_MESSAGES = 10_000;
export const MAX_ID_CHARS = 400;

export function textPart(text: string): Part {
  return { kind: "text", text };
}

/** Returns the texts of the parts, one after the other; data as JSON, files and addresses by their names. */
export function textOf(parts: readonly Part[]): string {
  return parts.map(partText).join("\n");
}

function partText(part: Part): string {
  switch (part.kind) {
    case "text":
      return part.text;
    case "data":
      return JSON.stringify(part.data);
    case "blob":
      return part.name ?? part.content_hash;
    case "url":
      return part.url;
  }
}
