// Stores an artifact's bytes and makes its record: hash and size checked on what came, secrets replaced in what is kept.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { INLINE_DATA_BYTES, type Artifact } from "../core/artifact.ts";
import type { Violation } from "../core/event.ts";
import { uuidV7 } from "../core/id.ts";
import type { Json } from "../core/json.ts";
import type { BlobStore } from "../core/ports/blob-store.ts";
import type { ReceivedArtifact } from "../core/ports/driver.ts";
import type { Redactor } from "../core/redact.ts";

export interface KeptArtifact {
  artifact: Artifact;
  violations: Violation[];
}

export async function keepArtifact(
  received: ReceivedArtifact,
  blobs: BlobStore,
  redactor: Redactor,
): Promise<KeptArtifact> {
  const id = uuidV7();
  switch (received.type) {
    case "file": {
      const { content, extensions, ...described } = received;
      if (content === undefined) return { artifact: { ...extensions, ...described, id }, violations: [] };
      const stored = await keepBytes(content, blobs, redactor);
      return {
        artifact: { ...extensions, ...described, ...stored, id },
        violations: lies(received, content),
      };
    }
    case "structured": {
      const { data, extensions, ...described } = received;
      const clean = redactor.active ? redactor.value(data) : data;
      const json = Buffer.from(JSON.stringify(clean));
      // Small data lives in its record, which is as durable as a file and costs none.
      const inline: { data?: Json } = json.length <= INLINE_DATA_BYTES ? { data: clean } : {};
      const stored = inline.data === undefined ? await blobs.put(json) : undefined;
      return {
        artifact: {
          ...extensions,
          ...described,
          ...inline,
          id,
          content_type: "application/json",
          size_bytes: json.length,
          content_hash: `sha256:${stored?.sha256 ?? sha256(json)}`,
          ...(clean !== data && { redacted: true }),
        },
        violations: [],
      };
    }
    case "reference": {
      const { extensions, ...described } = received;
      return { artifact: { ...extensions, ...described, id }, violations: [] };
    }
  }
}

async function keepBytes(
  content: Uint8Array,
  blobs: BlobStore,
  redactor: Redactor,
): Promise<{ size_bytes: number; content_hash: string; redacted?: boolean }> {
  const clean = redactor.active ? redactor.bytes(content) : undefined;
  const { sha256, sizeBytes } = await blobs.put(clean ?? content);
  return {
    size_bytes: sizeBytes,
    content_hash: `sha256:${sha256}`,
    ...(clean !== undefined && { redacted: true }),
  };
}

/** Document 000: `size_bytes` and `content_hash` describe the decoded bytes. */
function lies(received: ReceivedArtifact & { type: "file" }, content: Uint8Array): Violation[] {
  const violations: Violation[] = [];
  const where = `artifact ${received.path}`;
  if (received.size_bytes !== undefined && received.size_bytes !== content.length) {
    const message = `size_bytes is ${received.size_bytes}, the content has ${content.length} bytes`;
    violations.push({ rule: "artifact.size", message, where });
  }
  if (received.content_hash !== undefined) {
    const actual = `sha256:${sha256(content)}`;
    if (received.content_hash.toLowerCase() !== actual) {
      const message = `content_hash is ${received.content_hash}, the content's is ${actual}`;
      violations.push({ rule: "artifact.hash", message, where });
    }
  }
  return violations;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
