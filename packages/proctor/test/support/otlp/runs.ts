// Runs and logs for tests, and a look into the spans that come of them.
import type { RunEvent } from "../../../src/core/event.ts";
import type { Run } from "../../../src/core/run.ts";
import type { OtlpAttribute, OtlpSpan, OtlpTraceRequest } from "../../../src/telemetry/otlp/otlp.ts";

const STARTED_AT = "2026-03-01T10:00:00.000Z";
const STARTED_MS = Date.parse(STARTED_AT);

export function runDocument(changes: Partial<Run> = {}): Run {
  return {
    id: "run-1",
    agent: "writer",
    status: "completed",
    task: { description: "Write a poem" },
    constraints: {},
    context: {},
    metadata: {},
    options: {},
    alias: null,
    retry: null,
    attempt: 1,
    retry_of: null,
    retried_as: null,
    conversation_id: "run-1",
    follows: null,
    parent_id: null,
    root_id: "run-1",
    questions: [],
    trace_id: "0af7651916cd43dd8448eb211c80319c",
    parent_span_id: null,
    created_at: "2026-03-01T09:59:59.000Z",
    started_at: STARTED_AT,
    ended_at: "2026-03-01T10:01:00.000Z",
    metrics: {},
    artifacts: [],
    failure: null,
    extensions: null,
    violations: [],
    ...changes,
  };
}

/** Agents send what they like, so nothing is said about the payload. */
export type Entry = [type: string, payload: unknown];

/** A log: each event comes a second after the one before. */
export function log(...events: readonly Entry[]): RunEvent[] {
  return events.map(([type, payload], sequence) => {
    const timestamp = new Date(STARTED_MS + (sequence + 1) * 1000).toISOString();
    // The encoder must not rely on these types.
    return { run_id: "run-1", sequence, timestamp, type, payload } as RunEvent;
  });
}

export function spansOf(request: OtlpTraceRequest): OtlpSpan[] {
  return request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

/** Attributes as a plain record. */
export function record(attributes: readonly OtlpAttribute[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
}

function plain(value: object): unknown {
  if ("arrayValue" in value) {
    // The one kind of value that holds others.
    return (value as { arrayValue: { values: object[] } }).arrayValue.values.map(plain);
  }
  const [first] = Object.values(value) as unknown[];
  return "intValue" in value ? Number(first) : first;
}

/** Seconds since the run started. */
export function seconds(span: OtlpSpan): [start: number, end: number] {
  const since = (nano: string): number => Number(BigInt(nano) - BigInt(STARTED_MS) * 1_000_000n) / 1e9;
  return [since(span.startTimeUnixNano), since(span.endTimeUnixNano)];
}

/** A run in which everything happens that has an attribute. */
export const EVERYTHING: Entry[] = [
  ["reasoning", { thought: "hm", plan: ["a", "b"], step: "first" }],
  ["progress", { current_step: 1, total_steps: 2, percentage: 50, message: "half" }],
  ["state_change", { from_state: "idle", to_state: "busy", reason: "asked" }],
  ["error", { error_type: "RateLimit", message: "slow down", recoverable: true, retry_after_ms: 5 }],
  ["violation", { rule: "x", message: "no", where: "$.a", repeated: 3 }],
  [
    "artifact.added",
    {
      artifact: {
        id: "1",
        type: "file",
        path: "a.txt",
        content_type: "text/plain",
        size_bytes: 3,
        content_hash: "h",
      },
    },
  ],
  ["artifact.added", { artifact: { id: "2", type: "structured", name: "result" } }],
  ["run.paused", {}],
  ["run.resumed", {}],
  ["run.cancel_requested", { reason: "enough" }],
  ["log", { stream: "stderr", text: "oops", dropped_bytes: 7 }],
  [
    "llm_request",
    {
      model: "m-1",
      provider: "anthropic",
      input_tokens: 10,
      output_tokens: 5,
      duration_ms: 500,
      temperature: 0,
      stop_reason: "end_turn",
      cost_usd: 0.25,
      prompt: "secret plans",
    },
  ],
  ["tool_call", { tool: "search", call_id: "c1", status: "started", input: { q: "cats" } }],
  ["tool_call", { tool: "search", call_id: "c1", status: "error", error: "no network" }],
  ["tool_call", { tool: "read", call_id: "c2", status: "started" }],
  [
    "tool.called",
    {
      tool: "search",
      input: { q: "cats" },
      output: ["tom"],
      status: "error",
      error_code: "TOOL_ERROR",
      http_status: 500,
      duration_ms: 250,
      mode: "mock",
    },
  ],
  ["process.exited", { code: 1, signal: "SIGKILL", leftover: 2 }],
  ["question.asked", { question: { id: "q", kind: "input", audience: "client", blocking: true, parts: [] } }],
  [
    "question.answered",
    { id: "q", answer: { id: "a", by: { kind: "client" }, outcome: "given", option: "allow" } },
  ],
  ["question.withdrawn", { id: "q", reason: "found out" }],
  ["question.expired", { id: "q", effect: "deny" }],
  ["plan.made", { source: "given", tasks: 1, work: 1, refused: 0 }],
  ["subtask.started", { key: "a", attempt: 1, run_id: "run-2", agent: "writer" }],
  ["subtask.retried", { key: "a", attempt: 1, status: "failed", next: "retry", delay_ms: 10 }],
  [
    "subtask.reviewed",
    { key: "a", attempt: 2, by: "agent", verdict: "retry", feedback: "shorter", trouble: "none" },
  ],
  ["subtask.settled", { key: "a", status: "completed", reason: "done" }],
];

export const EVERYTHING_RUN = runDocument({
  status: "failed",
  failure: { code: "AGENT_CRASHED", message: "it said: oops" },
  metrics: {
    input_tokens: 10,
    output_tokens: 5,
    total_steps: 3,
    llm_calls: 1,
    tool_calls: 2,
    cost_usd: 0.25,
  },
  metadata: { suite: "smoke", test_id: "poem", run_number: 2, total_runs: 3 },
  attempt: 2,
  retry_of: "run-0",
});
