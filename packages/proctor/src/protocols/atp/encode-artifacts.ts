// Artifacts and metrics as an ATP response carries them, strict whatever an agent of any protocol sent: what does not fit
// the document is left out, and data that is no object is wrapped.
import { Buffer } from "node:buffer";
import type { z } from "zod";
import type { Artifact } from "../../core/artifact.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Metrics } from "../../core/metrics.ts";
import { isBase64 } from "./artifacts.ts";
import { atpArtifact, atpMetrics, type AtpArtifact, type AtpResponse } from "./wire.ts";

/** `bytes` are the stored ones, where there are any. */
export function encodeArtifact(artifact: Artifact, bytes: Uint8Array | undefined): AtpArtifact {
  // The record has what its type requires; the fields that may be odd are optional.
  return conforming(atpArtifact, withContent(artifact, bytes)) as AtpArtifact;
}

/** Returns true when the content of an artifact has to be read from the store. A reference stays one: it is made for what is too large to be sent. */
export function isStoredApart(artifact: Artifact): boolean {
  if (artifact.type === "reference" || artifact.content_hash === undefined) return false;
  return artifact.type === "file" || artifact.data === undefined;
}

export function encodeMetrics(metrics: Metrics): AtpResponse["metrics"] {
  return conforming(atpMetrics, metrics);
}

/** Returns the object without those of its fields that the schema refuses. */
export function conforming<T extends JsonObject>(schema: z.ZodType, value: T): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return value;
  const refused = new Set(parsed.error.issues.map((issue) => issue.path[0]));
  // Only optional fields are missing from it.
  return Object.fromEntries(Object.entries(value).filter(([name]) => !refused.has(name))) as T;
}

function withContent(stored: Artifact, bytes: Uint8Array | undefined): JsonObject {
  const { id: _, claimed_hash, ...artifact } = stored;
  // Passed on as the agent gave it.
  if (claimed_hash !== undefined) artifact.content_hash ??= claimed_hash;
  switch (artifact.type) {
    case "file":
      return { ...artifact, ...(bytes && encodeContent(bytes, artifact)) };
    case "structured": {
      const { content_type: __, size_bytes: ___, content_hash: ____, data, ...plain } = artifact;
      return { ...plain, data: data === undefined ? storedData(bytes) : asObject(data) };
    }
    case "reference":
      return artifact;
  }
}

/** Parses data that was too large for its record and is stored as JSON. */
function storedData(bytes: Uint8Array | undefined): JsonObject {
  if (bytes === undefined) return {};
  const text = Buffer.from(bytes).toString("utf8");
  try {
    return asObject(JSON.parse(text) as Json);
  } catch {
    return { value: text };
  }
}

/** Wraps data that is not an object, because of `"data": { "type": "object" }`. */
function asObject(data: Json): JsonObject {
  return isJsonObject(data) ? data : { value: data };
}

/**
 * Writes text unchanged, and anything else as base64, marked with the extension `content_encoding`. So is text that a reader would take for base64.
 */
function encodeContent(
  bytes: Uint8Array,
  { content_type, size_bytes }: { content_type?: string; size_bytes?: number },
): { content: string; content_encoding?: "base64" | "utf-8" } {
  const text = Buffer.from(bytes).toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes)) {
    return { content: Buffer.from(bytes).toString("base64"), content_encoding: "base64" };
  }
  const ambiguous = isBase64(text, undefined, content_type, size_bytes);
  return { content: text, ...(ambiguous && { content_encoding: "utf-8" }) };
}
