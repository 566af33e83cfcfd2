// Messages of runs as messages of A2A, and back. What A2A's messages have beyond ours is kept under `extensions` and given back as it came.
import { createHash } from "node:crypto";
import { contentSha256 } from "../../../core/artifact.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import type { Message, NewMessage, Part } from "../../../core/message.ts";
import type { Run } from "../../../core/run.ts";
import { A2aError } from "../errors.ts";
import type { A2aMessage, A2aPart } from "../model.ts";
import { contentUrl, type Place } from "./place.ts";

/** The key in `extensions` of a message under which A2A's own fields are kept. */
const KEPT = "a2a";

/** A file whose bytes came inside a message. */
export interface MessageFile {
  /** Name that the client gave, or a generated one; unique in the message. */
  path: string;
  contentType: string;
  bytes: Uint8Array;
}

export interface DecodedMessage {
  message: NewMessage & { id: string };
  files: MessageFile[];
}

/** Throws INVALID_PARAMS. */
export function decodeMessage(sent: A2aMessage): DecodedMessage {
  const { messageId, role, parts, referenceTaskIds, contextId: _, taskId: __, ...rest } = sent;
  if (role !== "ROLE_USER") throw wrong("message.role", "must be ROLE_USER: clients speak for the user");
  const files: MessageFile[] = [];
  const decoded = parts.map((part, index) => decodePart(part, index, files));
  return {
    message: {
      id: messageId,
      parts: decoded,
      ...(referenceTaskIds && referenceTaskIds.length > 0 && { references: referenceTaskIds }),
      ...(Object.keys(rest).length > 0 && { extensions: { [KEPT]: rest } }),
    },
    files,
  };
}

function decodePart(part: A2aPart, index: number, files: MessageFile[]): Part {
  const { text, raw, url, data, filename, mediaType, ...rest } = part;
  const names = {
    ...(filename !== undefined && { name: filename }),
    ...(mediaType !== undefined && { media_type: mediaType }),
    ...rest,
  };
  if (text !== undefined) return { ...names, kind: "text", text };
  if (data !== undefined) return { ...names, kind: "data", data };
  // The address is passed on, and never fetched.
  if (url !== undefined) return { ...names, kind: "url", url };
  if (raw === undefined)
    throw new A2aError("CONTENT_TYPE_NOT_SUPPORTED", "a part has neither text, raw, url nor data", {
      fields: [{ field: `message.parts[${index}]`, description: "must have text, raw, url or data" }],
    });
  const bytes = Buffer.from(raw, "base64");
  const path = freeName(filename ?? `file-${index + 1}`, files);
  files.push({ path, contentType: mediaType ?? "application/octet-stream", bytes });
  const content_hash = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  return { ...names, kind: "blob", name: path, content_hash, size_bytes: bytes.length };
}

/** Renames one of two files with the same name, so that both are kept: `report.pdf`, `report-2.pdf`. */
function freeName(name: string, files: readonly MessageFile[]): string {
  const taken = new Set(files.map(({ path }) => path));
  const [, stem = name, suffix = ""] = /^(.+?)(\.[^./]{1,16})?$/s.exec(name) ?? [];
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${stem}-${number}${suffix}`;
  return free;
}

/** Ids of what a message belongs to. */
export interface MessageScope {
  taskId: string;
  /** Run in which it was said. */
  run: Run;
  place: Place;
}

export function encodeMessage(message: Message, { taskId, run, place }: MessageScope): A2aMessage {
  const { id, role, parts, references, extensions } = message;
  const kept = extensions?.[KEPT];
  return {
    ...(isJsonObject(kept) && kept),
    messageId: id,
    contextId: run.conversation_id,
    taskId,
    role: role === "user" ? "ROLE_USER" : "ROLE_AGENT",
    parts: parts.map((part) => encodePart(part, run, place)),
    ...(references && { referenceTaskIds: references }),
  };
}

export function encodePart(part: Part, run: Run, place: Place): A2aPart {
  const { kind: _, media_type: mediaType, name, ...rest } = part;
  const names = {
    ...(name !== undefined && { filename: name }),
    ...(mediaType !== undefined && { mediaType }),
  };
  switch (part.kind) {
    case "text":
    case "data":
    case "url":
      return { ...rest, ...names };
    case "blob": {
      const { content_hash: hash, size_bytes: size, ...others } = rest;
      const stored = run.artifacts.find((artifact) => {
        return contentSha256(artifact) === contentSha256({ content_hash: part.content_hash });
      });
      const content: JsonObject =
        stored === undefined
          ? { data: { content_hash: hash, size_bytes: size } }
          : { url: contentUrl(place, run.id, stored.id) };
      return { ...others, ...names, ...content };
    }
  }
}

/** Returns a message of the hub itself, in the agent's name. */
export function noteMessage(
  id: string,
  text: string,
  { taskId, run }: Pick<MessageScope, "taskId" | "run">,
): A2aMessage {
  return {
    messageId: id,
    contextId: run.conversation_id,
    taskId,
    role: "ROLE_AGENT",
    parts: [{ text }],
  };
}

export function wrong(field: string, description: string): A2aError {
  return new A2aError("INVALID_PARAMS", `${field} ${description}`, { fields: [{ field, description }] });
}
