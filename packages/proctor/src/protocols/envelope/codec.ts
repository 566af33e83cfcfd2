// A job as the request that an agent is sent, and an agent's envelopes as reports. Document 004, section 2.1. Pure.
import { AGENT_EVENT_TYPES, type AgentEventType } from "../../core/event.ts";
import { HUB, type Envelope } from "../../core/envelope.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { possibleMetrics } from "../../core/metrics.ts";
import type { AgentEventDraft, AgentReport, Job } from "../../core/ports/driver.ts";
import { TERMINAL_STATUSES, type TerminalStatus } from "../../core/run.ts";
import { timeoutMs } from "../../core/task.ts";
import { violationReport } from "../reports.ts";
import { resultReport } from "../spoken-answer.ts";
import { decodeAsk, isAsking } from "./ask.ts";
import { decodeArtifacts } from "./artifacts.ts";
import { decodeError } from "./errors.ts";

export interface EncodeOptions {
  id: string;
  to: string;
  spanId: string;
  nowMs: number;
  /** False where the envelope is kept on the way: what is secret then stays out of it. */
  withSecrets: boolean;
}

export function encodeExecute(job: Job, { id, to, spanId, nowMs, withSecrets }: EncodeOptions): Envelope {
  const { environment, ...context } = job.context;
  return {
    id,
    from: HUB,
    to,
    type: "request",
    action: "execute",
    payload: {
      run_id: job.runId,
      task: job.task,
      constraints: { ...job.constraints, timeout_seconds: timeoutMs(job.constraints) / 1000 },
      context: { ...context, ...(withSecrets && environment && { environment }) },
      metadata: job.metadata,
      ...(job.conversation && { conversation: job.conversation.id }),
    },
    trace: { traceId: job.traceId, spanId },
    timestamp: nowMs,
    hops: hopsOf(job) + 1,
  };
}

/** Returns the hops: a run that an envelope started is one further than that. */
function hopsOf({ metadata }: Pick<Job, "metadata">): number {
  const mark = metadata["envelope"];
  return isJsonObject(mark) && typeof mark["hops"] === "number" ? mark["hops"] : 0;
}

/** Returns the reports of one envelope; the last one ends the run where the envelope does. */
export function decodeReply(envelope: Envelope): AgentReport[] {
  const { type, action, payload, streamId, final, id } = envelope;
  if (isAsking(envelope)) return [decodeAsk(envelope)];
  if (type === "error") return [{ kind: "end", end: { status: "failed", failure: decodeError(payload) } }];
  if (type === "response") return decodeResponse(payload);
  if (action === "stream_chunk" || type === "stream_chunk")
    return [
      { kind: "text", messageId: streamId ?? "stream", part: 0, text: textIn(payload), last: final ?? false },
    ];
  if (action === "status_update") return [{ kind: "event", event: decodeUpdate(payload) }];
  const message = `the agent sent a ${type} with the action "${action}", which means nothing here`;
  return [violationReport({ rule: "envelope.action", message, where: id, owner: "proctor" })];
}

function textIn(payload: Json): string {
  if (typeof payload === "string") return payload;
  if (!isJsonObject(payload)) return payload === null ? "" : JSON.stringify(payload);
  const text = [payload["text"], payload["delta"], payload["content"], payload["chunk"]].find(
    (each) => typeof each === "string",
  );
  return typeof text === "string" ? text : JSON.stringify(payload);
}

/** Decodes an update: one that names an event of an agent is that event; any other is progress. */
function decodeUpdate(payload: Json): AgentEventDraft {
  if (!isJsonObject(payload)) return { type: "progress", payload: { message: textIn(payload) } };
  const { event, ...rest } = payload;
  if (typeof event !== "string") return { type: "progress", payload: progressOf(payload) };
  const said = isJsonObject(rest["payload"]) ? rest["payload"] : rest;
  if ((AGENT_EVENT_TYPES as readonly string[]).includes(event))
    // It is one of them, and every field of their payloads may be missing or odd.
    return { type: event as AgentEventType, payload: said };
  return { type: "unknown", payload: { event_type: event, payload: said } };
}

function progressOf(payload: JsonObject): JsonObject {
  const { progress, status, message, ...rest } = payload;
  const percentage = typeof progress === "number" ? progress : undefined;
  const text = typeof message === "string" ? message : typeof status === "string" ? status : undefined;
  return {
    ...(isJsonObject(progress) ? progress : {}),
    ...(percentage !== undefined && { percentage }),
    ...(text !== undefined && { message: text }),
    ...rest,
  };
}

function decodeResponse(payload: Json): AgentReport[] {
  if (!isJsonObject(payload)) return [...result(payload), { kind: "end", end: { status: "completed" } }];
  const { status, result: given, output, text, artifacts, metrics, error, ...rest } = payload;
  const reports = decodeArtifacts(artifacts);
  const used = isJsonObject(metrics) ? possibleMetrics(metrics) : {};
  const said = isTerminal(status) ? status : undefined;
  const failed = error !== undefined && error !== null;
  const ended: TerminalStatus =
    failed && (said ?? "completed") === "completed" ? "failed" : (said ?? "completed");
  const why = failed
    ? { failure: decodeError(isJsonObject(error) ? error : { ...payload, message: textIn(error) }) }
    : {};
  const { code: _, message: __, details: ___, run_id: ____, ...unknown } = rest;
  return [
    ...reports,
    ...(ended === "completed" || ended === "partial" ? result(given ?? output ?? text ?? null) : []),
    {
      kind: "end",
      end: {
        status: ended,
        ...why,
        ...(Object.keys(used).length > 0 && { metrics: used }),
        ...(Object.keys(unknown).length > 0 && { extensions: unknown }),
      },
    },
  ];
}

function result(output: Json): AgentReport[] {
  return output === null ? [] : [resultReport(output)];
}

function isTerminal(status: Json | undefined): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly (Json | undefined)[]).includes(status);
}
