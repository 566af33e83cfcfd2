// Parts of A2A's messages and parts of Proctor's, both ways. Pure.
import { createHash } from "node:crypto";
import type { Part } from "../../../core/message.ts";
import type { ReceivedArtifact } from "../../../core/ports/driver.ts";
import { artifactPath } from "../../artifact-path.ts";
import type { A2aPart } from "../model.ts";

/** Characters of the longest media type that is accepted. */
const MAX_MEDIA_TYPE_CHARS = 255;

export type PartKind = "text" | "raw" | "url" | "data";

/** Returns what a part is; undefined for a kind that nobody here knows. */
export function kindOf(part: A2aPart): PartKind | undefined {
  if (typeof part.text === "string") return "text";
  if (typeof part.raw === "string") return "raw";
  if (typeof part.url === "string") return "url";
  return part.data === undefined ? undefined : "data";
}

export interface DecodedPart {
  /** The part; absent where its kind is unknown. */
  part?: Part;
  /** Bytes of a file, which become an artifact. */
  file?: ReceivedArtifact;
}

export function decodePart(sent: A2aPart): DecodedPart {
  const names = namesOf(sent);
  switch (kindOf(sent)) {
    case "text":
      return { part: { kind: "text", text: sent.text ?? "", ...names } };
    case "data":
      return { part: { kind: "data", data: sent.data ?? null, ...names } };
    case "url":
      return { part: { kind: "url", url: sent.url ?? "", ...names } };
    case "raw": {
      const content = bytesOf(sent);
      const content_hash = `sha256:${createHash("sha256").update(content).digest("hex")}`;
      return {
        part: { kind: "blob", content_hash, size_bytes: content.length, ...names },
        file: fileOf(sent, content, "attachment"),
      };
    }
    case undefined:
      return {};
  }
}

/** Returns the file that a part is. `fallback` names it where the agent did not. */
function fileOf(part: A2aPart, content: Uint8Array, fallback: string): ReceivedArtifact {
  const { path } = artifactPath(part.filename ?? fallback);
  const type = mediaTypeIn(part);
  return { type: "file", path, content, ...(type !== undefined && { content_type: type }) };
}

/** Decodes base64 in either alphabet, as ProtoJSON allows. */
export function bytesOf({ raw = "" }: A2aPart): Buffer {
  return Buffer.from(raw, "base64");
}

export function mediaTypeIn({ mediaType }: A2aPart): string | undefined {
  const isType =
    typeof mediaType === "string" && mediaType !== "" && mediaType.length <= MAX_MEDIA_TYPE_CHARS;
  return isType ? mediaType : undefined;
}

function namesOf(part: A2aPart): { media_type?: string; name?: string } {
  const type = mediaTypeIn(part);
  return {
    ...(type !== undefined && { media_type: type }),
    ...(typeof part.filename === "string" && part.filename !== "" && { name: part.filename }),
  };
}

/** Returns undefined for bytes, which the caller sends. */
export function encodePart(part: Part): A2aPart | undefined {
  const names = {
    ...(part.name !== undefined && { filename: part.name }),
    ...(part.media_type !== undefined && { mediaType: part.media_type }),
  };
  switch (part.kind) {
    case "text":
      return { text: part.text, ...names };
    case "data":
      return { data: part.data, ...names };
    case "url":
      return { url: part.url, ...names };
    case "blob":
      return undefined;
  }
}
