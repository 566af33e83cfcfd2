// An answer → the response: exactly as the protocol says, free of secrets, never larger than peers accept.
import { decodeContent, encodeContent } from "../artifacts/file.ts";
import type { Json, JsonObject } from "../protocol/json.ts";
import {
  type Artifact,
  type AtpResponse,
  MAX_MESSAGE_BYTES,
  type Metrics,
  VERSION,
} from "../protocol/messages.ts";
import type { Redactor } from "../secrets/redactor.ts";
import type { DecodedAnswer } from "./answer.ts";

export function encodeResponse(
  taskId: string,
  redactor: Redactor,
  answer: DecodedAnswer,
  counted: Metrics,
): AtpResponse {
  const { status, error, error_code, error_details, trace_id } = answer;
  const response: AtpResponse = {
    version: VERSION,
    task_id: taskId,
    status,
    artifacts: answer.artifacts.map((artifact) => redactArtifact(artifact, redactor)),
    metrics: { ...counted, ...redactMetrics(answer.metrics, redactor) },
    error: error === undefined ? defaultError(status) : redactor.text(error),
    ...(error_code !== undefined && { error_code: redactor.text(error_code) }),
    ...(error_details !== undefined && { error_details: redactor.value(error_details) }),
    ...(trace_id !== undefined && { trace_id: redactor.text(trace_id) }),
  };
  const size = Buffer.byteLength(JSON.stringify(response));
  return size <= MAX_MESSAGE_BYTES ? response : tooLarge(response, size);
}

const defaultError = (status: string): string | null =>
  status === "failed" ? "The agent failed and did not say why" : null;

/** Redacts field by field: the protocol's names and types must not change, and size and hash must fit the redacted content. */
function redactArtifact(artifact: Artifact, redactor: Redactor): Artifact {
  const { type, ...rest } = artifact;
  const clean: JsonObject = { type };
  for (const [name, value] of Object.entries(rest) as [string, Json][]) {
    clean[name] = name === "content" || name === "content_hash" ? value : redactor.value(value);
  }
  if (artifact.type !== "file") return clean as unknown as Artifact;
  const before = decodeContent(artifact);
  const after = before && redactContent(before, redactor);
  if (before === undefined || after === before) return clean as unknown as Artifact;
  delete clean["content_encoding"];
  return { ...clean, ...encodeContent(after ?? before) } as unknown as Artifact;
}

function redactContent(bytes: Uint8Array, redactor: Redactor): Uint8Array {
  const text = Buffer.from(bytes).toString("utf8");
  if (!Buffer.from(text).equals(bytes)) return redactor.bytes(bytes);
  const clean = redactor.text(text);
  return clean === text ? bytes : Buffer.from(clean);
}

function redactMetrics(metrics: Metrics, redactor: Redactor): Metrics {
  return Object.fromEntries(
    Object.entries(metrics).map(([name, value]: [string, Json]) => [
      name,
      typeof value === "number" ? value : redactor.value(value),
    ]),
  );
}

function tooLarge(response: AtpResponse, size: number): AtpResponse {
  return {
    version: VERSION,
    task_id: response.task_id,
    status: "failed",
    artifacts: [],
    metrics: response.metrics,
    error:
      "The response is larger than 10 MB: leave large files in the workspace and send references to them",
    error_code: "INTERNAL_ERROR",
    error_details: { size_bytes: size, limit_bytes: MAX_MESSAGE_BYTES },
  };
}
