// The calls inside a run as spans below it: of models, of tools as the agent reports them, of tools as the platform saw
// them. A call that reports its start and its end is one span.
import type { RunEvent } from "../../core/event.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { spanIdAt } from "../../runtime/span-ids.ts";
import { attributes, count } from "./attributes.ts";
import { type Call, describeChat, describeTool } from "./calls.ts";
import type { OtlpSpan } from "./otlp.ts";
import { content, label } from "./text.ts";
import { startedBefore, unixNano } from "./time.ts";

interface CallSpans {
  /** Takes the event when it is about a call. */
  add(event: RunEvent, timeMs: number): void;
  /** Returns the spans in the order in which the calls were reported; a call without an end ends with the run. */
  finish(endMs: number): OtlpSpan[];
  readonly dropped: number;
}

interface CallSpansOptions {
  runId: string;
  traceId: string;
  parentSpanId: string;
  /** Start of the run in epoch milliseconds, before which no call begins. */
  earliestMs: number;
  maxSpans: number;
  content: boolean;
}

/** A call that reported its start and not yet its end. */
interface OpenCall {
  id: string;
  index: number;
  sequence: number;
  startMs: number;
  begun: JsonObject;
}

/** Statuses of a call that has begun and not ended, the same as in the fold of runs, which counts such a call once. */
const STARTED = new Set<unknown>(["started", "running", "pending"]);

export function createCallSpans(options: CallSpansOptions): CallSpans {
  const spans: OtlpSpan[] = [];
  const open = new Map<string, OpenCall>();
  let dropped = 0;

  function span(call: Call, sequence: number, startMs: number, endMs: number): OtlpSpan {
    return {
      traceId: options.traceId,
      spanId: spanIdAt(options.runId, sequence),
      parentSpanId: options.parentSpanId,
      name: call.name,
      kind: call.kind,
      startTimeUnixNano: unixNano(startMs),
      endTimeUnixNano: unixNano(Math.max(startMs, endMs)),
      attributes: attributes({ ...call.record, "proctor.event.sequence": count(sequence) }),
      status: call.status,
    };
  }

  function push(call: Call, sequence: number, endMs: number, durationMs: unknown): boolean {
    if (spans.length >= options.maxSpans) {
      dropped++;
      return false;
    }
    spans.push(span(call, sequence, startedBefore(endMs, durationMs, options.earliestMs), endMs));
    return true;
  }

  function addToolCall(sequence: number, payload: JsonObject, timeMs: number): void {
    const id = callId(payload);
    const isStart = STARTED.has(payload["status"]);
    const started = id === undefined ? undefined : open.get(id);
    if (started === undefined) {
      const index = spans.length;
      const call = describeTool(payload, false, options.content);
      const isIn = push(call, sequence, timeMs, payload["duration_ms"]);
      if (!isIn || !isStart || id === undefined) return;
      open.set(id, { id, index, sequence, startMs: timeMs, begun: remembered(payload, options.content) });
    } else if (!isStart) {
      open.delete(started.id);
      const call = describeTool({ ...started.begun, ...payload }, false, options.content);
      const durationMs = payload["duration_ms"] ?? timeMs - started.startMs;
      const startMs = startedBefore(timeMs, durationMs, options.earliestMs);
      spans[started.index] = span(call, started.sequence, startMs, timeMs);
    }
  }

  return {
    get dropped() {
      return dropped;
    },
    add(event, timeMs) {
      const { type, sequence } = event;
      // An agent may send any JSON where a payload belongs.
      const payload: JsonObject = isJsonObject(event.payload) ? event.payload : {};
      if (type === "llm_request") {
        push(describeChat(payload, options.content), sequence, timeMs, payload["duration_ms"]);
      } else if (type === "tool.called") {
        push(describeTool(payload, true, options.content), sequence, timeMs, payload["duration_ms"]);
      } else if (type === "tool_call") addToolCall(sequence, payload, timeMs);
    },
    finish(endMs) {
      for (const { index, sequence, startMs, begun } of open.values()) {
        const call = describeTool(begun, false, options.content);
        call.record["proctor.unfinished"] = true;
        spans[index] = span(call, sequence, startMs, endMs);
      }
      return spans;
    },
  };
}

/** Keeps what the start of a call says and its end may not repeat, shortened because thousands of calls may be open. */
function remembered(payload: JsonObject, withContent: boolean): JsonObject {
  return {
    tool: label(payload["tool"]),
    call_id: label(payload["call_id"]),
    status: label(payload["status"]),
    input: withContent ? content(payload["input"]) : undefined,
  };
}

function callId(payload: JsonObject): string | undefined {
  const id = payload["call_id"];
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}
