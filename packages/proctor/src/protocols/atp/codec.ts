// ATP messages ↔ core. Pure: no clock, no I/O, no default that document 000 does not name.
import { Buffer } from "node:buffer";
import type { Artifact } from "../../core/artifact.ts";
import type { AgentEventType } from "../../core/event.ts";
import { AGENT_EVENT_TYPES } from "../../core/event.ts";
import type { JsonObject } from "../../core/json.ts";
import type { AgentEnd, AgentEventDraft, Job } from "../../core/ports/driver.ts";
import type { Run } from "../../core/run.ts";
import { DEFAULT_TIMEOUT_SECONDS } from "../../core/task.ts";
import { decodeMetrics } from "./artifacts.ts";
import { decodeFailure, encodeFailure } from "./errors.ts";
import {
  ATP_VERSION,
  type AtpRequest,
  type AtpResponse,
  type CompatEvent,
  type CompatResponse,
} from "./wire.ts";

/** Document 000, "ATP Request". Null and empty parts are left out: what we send is always strict. */
export function encodeRequest(job: Job): AtpRequest {
  const { allowed_tools, ...constraints } = job.constraints;
  return {
    version: ATP_VERSION,
    task_id: job.runId,
    task: job.task as AtpRequest["task"],
    constraints: {
      ...constraints,
      timeout_seconds: constraints.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS,
      ...(allowed_tools && { allowed_tools }),
    },
    ...(Object.keys(job.context).length > 0 && { context: job.context }),
    ...(Object.keys(job.metadata).length > 0 && { metadata: job.metadata as AtpRequest["metadata"] }),
  };
}

/** Document 000, "ATP Event". The agent's own envelope is kept beside the payload. */
export function decodeEvent(wire: CompatEvent): AgentEventDraft {
  const { event_type, payload = {}, version: _, task_id: __, ...origin } = wire;
  if (!isKnown(event_type)) {
    return {
      type: "unknown",
      payload: { event_type, payload: payload as JsonObject },
      origin: origin as JsonObject,
    };
  }
  // Payload fields are optional and unchecked by the document's schema, and so in core.
  return { type: event_type, payload: payload as never, origin: origin as JsonObject };
}

function isKnown(type: string): type is AgentEventType {
  return (AGENT_EVENT_TYPES as readonly string[]).includes(type);
}

/** Document 000, "ATP Response": how the agent says it ended. Its artifacts are decoded apart. */
export function decodeResponse(wire: CompatResponse): AgentEnd {
  const {
    version: _,
    task_id: __,
    artifacts: ___,
    status,
    metrics,
    error,
    error_code,
    error_details,
    ...rest
  } = wire;
  const failed = status !== "completed" && (status === "failed" || error != null || error_code != null);
  return {
    status,
    metrics: decodeMetrics(metrics),
    ...(failed && { failure: decodeFailure(error, error_code, error_details) }),
    ...(Object.keys(rest).length > 0 && { extensions: rest as JsonObject }),
  };
}

/** An ended run as an ATP response, strict. `content` gives the stored bytes of an artifact, where there are any. */
export function encodeResponse(
  run: Run,
  content: (artifact: Artifact) => Uint8Array | undefined,
): AtpResponse {
  return {
    version: ATP_VERSION,
    task_id: run.id,
    status: run.status as AtpResponse["status"],
    artifacts: run.artifacts.map((artifact) => encodeArtifact(artifact, content(artifact))),
    metrics: run.metrics,
    error: null,
    ...(run.failure && encodeFailure(run.failure)),
    trace_id: run.trace_id,
  };
}

function encodeArtifact(artifact: Artifact, bytes: Uint8Array | undefined): AtpResponse["artifacts"][number] {
  const { id: _, ...rest } = artifact;
  switch (rest.type) {
    case "file":
      return { ...rest, ...(bytes && encodeContent(bytes)) };
    case "structured": {
      const { content_type: __, size_bytes: ___, content_hash: ____, ...plain } = rest;
      const data = plain.data ?? (bytes && (JSON.parse(Buffer.from(bytes).toString()) as JsonObject)) ?? {};
      // The document wants an object; what an agent sent instead is passed on as it came.
      return { ...plain, data } as AtpResponse["artifacts"][number];
    }
    case "reference":
      return rest;
  }
}

/** Text as it is; anything else base64, marked with the extension `content_encoding`. */
function encodeContent(bytes: Uint8Array): { content: string; content_encoding?: "base64" } {
  const text = Buffer.from(bytes).toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return { content: text };
  return { content: Buffer.from(bytes).toString("base64"), content_encoding: "base64" };
}
