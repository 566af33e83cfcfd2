// A run and its log as one OpenTelemetry trace: OTLP's JSON, in the words of the conventions for generative AI.
// Documented in docs/reference/opentelemetry.md. Sending it is the exporter's.
import type { RunEvent } from "../../core/event.ts";
import type { Run } from "../../core/run.ts";
import { rootSpanId, traceIdOf } from "../../runtime/span-ids.ts";
import { amount, attributes, type AttributeRecord, count } from "./attributes.ts";
import { envelopeSpan } from "./envelope-span.ts";
import { createCallSpans } from "./call-spans.ts";
import { outcomeOfRun } from "./failing.ts";
import { MAX_UINT32, type OtlpSpan, type OtlpTraceRequest, SPAN_KIND } from "./otlp.ts";
import { createRunEvents, type RunEvents } from "./run-events.ts";
import { resource, type ResourceOptions, scope } from "./resource.ts";
import { CONTENT_BYTES, label, shortened } from "./text.ts";
import { parseTime, unixNano } from "./time.ts";

interface EncodeRunOptions extends ResourceOptions {
  /** Most spans of the whole trace, 10,000 by default. Those left out are counted on the run's span. */
  maxSpans?: number;
  /** Whether prompts, tool inputs and outputs, messages and log texts are exported, each up to 4 kB; false by default. */
  content?: boolean;
}

const MAX_SPANS = 10_000;

export async function encodeRun(
  run: Run,
  events: AsyncIterable<RunEvent> | Iterable<RunEvent>,
  options: EncodeRunOptions = {},
): Promise<OtlpTraceRequest> {
  const withContent = options.content === true;
  const traceId = traceIdOf(run);
  const spanId = rootSpanId(run.id);
  const startMs = parseTime(run.started_at ?? run.created_at, 0);
  const { maxSpans = MAX_SPANS } = options;
  const calls = createCallSpans({
    runId: run.id,
    traceId,
    parentSpanId: spanId,
    earliestMs: startMs,
    maxSpans: maxSpans - 1 - envelopeSpan(run, startMs).length,
    content: withContent,
  });
  const onRun = createRunEvents(withContent);
  let lastMs = startMs;
  for await (const event of events) {
    const timeMs = Math.max(startMs, parseTime(event.timestamp, lastMs));
    lastMs = Math.max(lastMs, timeMs);
    calls.add(event, timeMs);
    onRun.add(event, timeMs);
  }
  // A run that is still going ends, for now, at the time of its last known event.
  const endMs = Math.max(startMs, parseTime(run.ended_at, lastMs));
  const below = calls.finish(endMs);
  const { status, errorType } = outcomeOfRun(run, withContent);
  const root: OtlpSpan = {
    traceId,
    spanId,
    ...(run.parent_span_id !== null && { parentSpanId: run.parent_span_id }),
    name: spanName(run),
    kind: SPAN_KIND.CLIENT,
    startTimeUnixNano: unixNano(startMs),
    endTimeUnixNano: unixNano(endMs),
    attributes: attributes({
      ...describeRun(run),
      "error.type": errorType,
      "gen_ai.input.messages": withContent ? inputMessages(run) : undefined,
      "proctor.spans.dropped": calls.dropped > 0 ? calls.dropped : undefined,
    }),
    ...eventsOf(onRun),
    status,
  };
  return {
    resourceSpans: [
      {
        resource: resource(options),
        scopeSpans: [{ scope: scope(), spans: [root, ...envelopeSpan(run, endMs), ...below] }],
      },
    ],
  };
}

function describeRun(run: Run): AttributeRecord {
  const { metrics, metadata } = run;
  return {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": label(run.agent),
    "gen_ai.usage.input_tokens": count(metrics.input_tokens),
    "gen_ai.usage.output_tokens": count(metrics.output_tokens),
    "proctor.run.id": run.id,
    "proctor.run.status": run.status,
    "proctor.run.attempt": count(run.attempt),
    "proctor.run.retry_of": label(run.retry_of),
    "proctor.run.steps": count(metrics.total_steps),
    "proctor.run.llm_calls": count(metrics.llm_calls),
    "proctor.run.tool_calls": count(metrics.tool_calls),
    "proctor.run.cost_usd": amount(metrics.cost_usd),
    // Suites write these into the metadata of the runs that they start.
    "proctor.suite": label(metadata["suite"]),
    "proctor.test.id": label(metadata["test_id"]),
    "proctor.test.run_number": count(metadata["run_number"]),
  };
}

function spanName(run: Run): string {
  const agent = label(run.agent);
  return agent === undefined ? "invoke_agent" : `invoke_agent ${agent}`;
}

/** Returns the task in the conventions' form of messages. It is shortened before it becomes JSON, so that it stays JSON. */
function inputMessages(run: Run): string {
  const text = shortened(run.task.description, CONTENT_BYTES);
  return JSON.stringify([{ role: "user", parts: [{ type: "text", content: text }] }]);
}

function eventsOf({ taken, dropped }: RunEvents): Pick<OtlpSpan, "events" | "droppedEventsCount"> {
  return {
    ...(taken.length > 0 && { events: taken }),
    ...(dropped > 0 && { droppedEventsCount: Math.min(dropped, MAX_UINT32) }),
  };
}
