// The artifacts and metrics of an ATP response, decoded one by one, so that one odd entry does not spoil the others. Odd
// optional fields are left out; the reader has said so already. The other way is encode-artifacts.ts.
import { Buffer } from "node:buffer";
import { describeIssues } from "../../core/describe-issues.ts";
import type { Violation } from "../../core/event.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Metrics } from "../../core/metrics.ts";
import type { ReceivedArtifact } from "../../core/ports/driver.ts";
import { decodeBase64 } from "../decode-base64.ts";
import { compatArtifact, type CompatArtifact } from "./wire-compat.ts";
import { atpMetrics } from "./wire.ts";

export interface DecodedArtifact {
  artifact?: ReceivedArtifact;
  violations: Violation[];
}

export function decodeArtifact(wire: Json, index: number): DecodedArtifact {
  const parsed = compatArtifact.safeParse(wire);
  const place = `artifacts.${index}`;
  if (!parsed.success) {
    const [issue] = describeIssues(parsed.error.issues.slice(0, 1), wire, place);
    const { path = "", message = "is not an artifact" } = issue ?? {};
    const where = path === "" ? place : `${place}.${path}`;
    return { violations: [{ rule: "atp.artifact", message, where }] };
  }
  const { artifact, violations } = withoutImpossible(parsed.data, place);
  switch (artifact.type) {
    case "file": {
      const { type, path, content, content_type, size_bytes, content_hash, ...rest } = artifact;
      const meant = content != null && isBase64(content, rest["content_encoding"], content_type, size_bytes);
      const bytes = meant ? decodeBase64(content) : undefined;
      const { content_encoding: _, ...extensions } = rest;
      const message = "not base64, though content_encoding says so; kept as it came";
      if (meant && !bytes) {
        violations.push({ rule: "atp.artifact.encoding", message, where: `${place}.content` });
      }
      return {
        violations,
        artifact: {
          type,
          path,
          ...(content != null && { content: bytes ?? Buffer.from(content) }),
          ...described(content_type, size_bytes, content_hash),
          ...kept(extensions),
        },
      };
    }
    case "structured": {
      const { type, name, schema, data, ...rest } = artifact;
      return {
        violations,
        artifact: { type, name, data, ...(schema !== undefined && { schema }), ...kept(rest) },
      };
    }
    case "reference": {
      const { type, path, content_type, size_bytes, content_hash, ...rest } = artifact;
      return {
        violations,
        artifact: { type, path, ...described(content_type, size_bytes, content_hash), ...kept(rest) },
      };
    }
  }
}

/** Notes values that the document allows and nobody can use: an empty name, a size below zero. */
function withoutImpossible(
  artifact: CompatArtifact,
  place: string,
): { artifact: CompatArtifact; violations: Violation[] } {
  const violations: Violation[] = [];
  const named = artifact.type === "structured" ? "name" : "path";
  const note = (field: string, words: string): void => {
    violations.push({
      rule: "artifact.value",
      message: `${place}.${field} ${words}`,
      where: `${place}.${field}`,
    });
  };
  if ((artifact.type === "structured" ? artifact.name : artifact.path) === "") note(named, "is empty");
  if (artifact.type === "structured" || artifact.size_bytes === undefined || artifact.size_bytes >= 0) {
    return { artifact, violations };
  }
  note("size_bytes", `is ${artifact.size_bytes}; it is left out`);
  return { artifact: { ...artifact, size_bytes: undefined }, violations };
}

function described(
  content_type: string | undefined,
  size_bytes: number | undefined,
  content_hash: string | undefined,
): { content_type?: string; size_bytes?: number; content_hash?: string } {
  return {
    ...(content_type !== undefined && { content_type }),
    ...(size_bytes !== undefined && { size_bytes }),
    ...(content_hash !== undefined && { content_hash }),
  };
}

/** Returns the unknown fields, none of which can pass for one of ours. */
function kept(extensions: Record<string, unknown>): { extensions?: JsonObject } {
  const { id: _, redacted: __, ...rest } = extensions;
  return Object.keys(rest).length > 0 ? { extensions: rest as JsonObject } : {};
}

const TEXT = /^(text\/|application\/(json|xml|yaml|toml|javascript|x-ndjson)|[^;]*\+(json|xml|yaml)\b)/i;
/** Together with a length that is a multiple of four. A repeated group would overflow the stack on a file of some megabytes. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function isPadded(content: string): boolean {
  return content.length % 4 === 0 && BASE64.test(content);
}

/**
 * Document 000: "base64 for binary". The extension `content_encoding` wins; then the size, which only one reading can
 * have; then the type says what is binary.
 */
export function isBase64(
  content: string,
  encoding: unknown,
  contentType?: string,
  sizeBytes?: number,
): boolean {
  if (encoding !== undefined) return encoding === "base64";
  if (!isPadded(content) || (contentType !== undefined && TEXT.test(contentType))) return false;
  const asText = Buffer.byteLength(content);
  const asBase64 = Buffer.byteLength(content, "base64");
  if (sizeBytes === asText || sizeBytes === asBase64) return sizeBytes === asBase64 && content !== "";
  return contentType !== undefined;
}

/** Reads metrics. Known ones of another type are left out, which the reader has reported; the engine looks at their values. Unknown ones are kept. */
export function decodeMetrics(wire: unknown): Metrics {
  if (!isJsonObject(wire)) return {};
  const odd = new Set(atpMetrics.safeParse(wire).error?.issues.map(({ path }) => path[0]));
  return Object.fromEntries(Object.entries(wire).filter(([name]) => !odd.has(name)));
}
