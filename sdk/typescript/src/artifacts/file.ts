// A file that travels inside the response.
import { createHash } from "node:crypto";
import type { FileArtifact } from "../protocol/messages.ts";
import { contentTypeOf } from "./content-type.ts";

/** Sends UTF-8 text as it is and any other bytes as base64. Without `contentType`, the extension of the path decides the type. */
export function file(path: string, content: string | Uint8Array, contentType?: string): FileArtifact {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return {
    type: "file",
    path,
    content_type: contentType ?? contentTypeOf(path, isText(bytes)),
    ...encodeContent(bytes),
  };
}

/** Returns the fields of an artifact that its bytes determine: content, encoding, size and hash. */
export function encodeContent(
  bytes: Uint8Array,
): Required<Pick<FileArtifact, "size_bytes" | "content_hash" | "content">> &
  Pick<FileArtifact, "content_encoding"> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size_bytes: bytes.byteLength,
    content_hash: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
    ...(isText(bytes)
      ? { content: buffer.toString("utf8") }
      : { content: buffer.toString("base64"), content_encoding: "base64" as const }),
  };
}

/** Returns the bytes of an artifact; undefined when the message does not carry them. */
export function decodeContent({ content, content_encoding }: FileArtifact): Uint8Array | undefined {
  return content === undefined
    ? undefined
    : Buffer.from(content, content_encoding === "base64" ? "base64" : "utf8");
}

function isText(bytes: Uint8Array): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return !text.includes("\0");
  } catch {
    return false;
  }
}
