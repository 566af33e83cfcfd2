// ATP messages ↔ core. Pure: no clock, no I/O, no default that document 000 does not name. What we send is strict; what a
// client sends us is decoded in request.ts.
import type { Artifact } from "../../core/artifact.ts";
import { AGENT_EVENT_TYPES, type AgentEventType, type Violation } from "../../core/event.ts";
import { failure } from "../../core/failure.ts";
import type { JsonObject } from "../../core/json.ts";
import type { AgentEnd, AgentEventDraft, Job } from "../../core/ports/driver.ts";
import type { EventRecord } from "../../core/ports/store.ts";
import type { Run } from "../../core/run.ts";
import { DEFAULT_TIMEOUT_SECONDS, type Context } from "../../core/task.ts";
import { decodeMetrics } from "./artifacts.ts";
import { withConversation } from "./conversation.ts";
import { conforming, encodeArtifact, encodeMetrics } from "./encode-artifacts.ts";
import { decodeFailure, encodeFailure } from "./errors.ts";
import { isUri } from "./formats.ts";
import { sortPayload } from "./payloads.ts";
import type { CompatEvent, CompatResponse } from "./wire-compat.ts";
import {
  ATP_VERSION,
  atpConstraints,
  atpContext,
  atpTask,
  type AtpRequest,
  type AtpResponse,
} from "./wire.ts";

const taskHints = atpTask.omit({ description: true });

/** Document 000, "ATP Request". Null and empty parts, and what does not fit, are left out; the task itself never is. */
export function encodeRequest(job: Job): AtpRequest {
  const { description, ...hints } = job.task;
  const constraints = { timeout_seconds: DEFAULT_TIMEOUT_SECONDS, ...job.constraints };
  const context = conforming(atpContext, encodeContext(job.context));
  const metadata = withConversation(job);
  return {
    version: ATP_VERSION,
    task_id: job.runId,
    task: { description, ...conforming(taskHints, hints) },
    constraints: conforming(atpConstraints, constraints) as AtpRequest["constraints"],
    ...(Object.keys(context).length > 0 && { context }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** Escapes what an endpoint, as people write it, may hold and a URI may not, such as a blank. */
function encodeContext(context: Context): Context {
  const { tools_endpoint: endpoint } = context;
  if (endpoint === undefined || isUri(endpoint) || !URL.canParse(endpoint)) return context;
  return { ...context, tools_endpoint: new URL(endpoint).href };
}

export interface DecodedEvent {
  event: AgentEventDraft;
  /** Violations of the payload; those of the envelope are the reader's. */
  violations: Violation[];
}

/**
 * Document 000, "ATP Event". The agent's own envelope is kept beside the payload, and there, as `payload`, the fields of
 * the payload that have another type than the document gives them.
 */
export function decodeEvent(wire: CompatEvent): DecodedEvent {
  const { event_type, payload, version: _, task_id: __, ...rest } = wire;
  // Parsed from JSON, like the whole.
  const origin = rest as JsonObject;
  if (!isKnown(event_type)) {
    return {
      event: { type: "unknown", payload: { event_type, payload: payload ?? {} }, origin },
      violations: [],
    };
  }
  const sorted = sortPayload(event_type, payload ?? {});
  return {
    // The types are sorted so that the payload is what core has for this type.
    event: {
      type: event_type,
      payload: sorted.payload as never,
      origin: sorted.misfits ? { ...origin, payload: sorted.misfits } : origin,
    },
    violations: sorted.violations,
  };
}

/** Returns a stored event as JSON text, without parsing its payload; undefined for what agents do not report. */
export function encodeEvent(
  record: EventRecord,
  { taskId, sequence }: { taskId: string; sequence: number },
): string | undefined {
  if (!isKnown(record.type)) return undefined;
  const timestamp = timeText(record.timestamp);
  const origin = record.origin === null ? "" : `,"origin":${record.origin}`;
  return `{"version":"${ATP_VERSION}","task_id":${JSON.stringify(taskId)},"timestamp":"${timestamp}","sequence":${sequence},"event_type":"${record.type}","payload":${record.payload}${origin}}`;
}

let lastMs = 0;
let lastText = timeOf(0);

/** Caches the text, because many events fall into one millisecond, and writing a date is not free. */
function timeText(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = timeOf(ms);
  }
  return lastText;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

const KNOWN: ReadonlySet<string> = new Set(AGENT_EVENT_TYPES);

function isKnown(type: string): type is AgentEventType {
  return KNOWN.has(type);
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
    ...keptFields(failed ? rest : { ...rest, ...givenErrors(error, error_code, error_details) }),
  };
}

function keptFields(fields: object): { extensions?: JsonObject } {
  return Object.keys(fields).length > 0 ? { extensions: fields as JsonObject } : {};
}

/** Keeps an error of a successful response, which is neither a failure nor lost. */
function givenErrors(error: unknown, error_code: unknown, error_details: unknown): object {
  return {
    ...(error != null && { error }),
    ...(error_code != null && { error_code }),
    ...(error_details != null && { error_details }),
  };
}

/**
 * Returns an ended run as an ATP response. `content` gives the stored bytes of an artifact, where there are any; `taskId` is the client's own id of
 * the task, where it is not the run's.
 */
export function encodeResponse(
  run: Run,
  content: (artifact: Artifact) => Uint8Array | undefined,
  { taskId = run.id }: { taskId?: string } = {},
): AtpResponse {
  const isRejected = run.status === "rejected";
  const failed =
    run.failure ?? (isRejected ? failure("REJECTED", "the agent would not take the task") : null);
  return {
    // Additional fields of the agent come first, so that they replace nothing.
    ...run.extensions,
    version: ATP_VERSION,
    task_id: taskId,
    // The document has no word for a refused task.
    status: isRejected ? "failed" : (run.status as AtpResponse["status"]),
    artifacts: run.artifacts.map((artifact) => encodeArtifact(artifact, content(artifact))),
    metrics: encodeMetrics(run.metrics),
    error: null,
    ...(failed && encodeFailure(failed)),
    trace_id: run.trace_id,
  };
}
