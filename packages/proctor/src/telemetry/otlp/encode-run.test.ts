import { readFileSync } from "node:fs";
import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeRun } from "./encode-run.ts";
import {
  OFFICIAL_SPAN_KINDS,
  OFFICIAL_STATUS_CODES,
  throughOfficialSchema,
} from "../../../test/support/otlp/official-schema.ts";
import {
  type Entry,
  EVERYTHING,
  EVERYTHING_RUN,
  log,
  record,
  runDocument,
  seconds,
  spansOf,
} from "../../../test/support/otlp/runs.ts";
import type { Run } from "../../core/run.ts";
import { EVENT_FIELDS } from "./event-fields.ts";
import type { OtlpSpan, OtlpTraceRequest } from "./otlp.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";

async function encode(
  events: readonly Entry[],
  changes: Partial<Run> = {},
  options: Parameters<typeof encodeRun>[2] = {},
): Promise<{ request: OtlpTraceRequest; root: OtlpSpan; calls: OtlpSpan[] }> {
  const request = await encodeRun(runDocument(changes), log(...events), options);
  const [root, ...calls] = spansOf(request);
  if (root === undefined) throw new Error("no span");
  return { request, root, calls };
}

describe("the official OTLP schema", () => {
  it.each([false, true])("takes a whole run, and loses nothing of it (content: %s)", async (content) => {
    const request = await encodeRun(EVERYTHING_RUN, log(...EVERYTHING), { content });
    expect(throughOfficialSchema(request)).toEqual(JSON.parse(JSON.stringify(request)));
  });

  it("is a strict judge: a field it does not know does not come back", async () => {
    const { request, root } = await encode([]);
    Object.assign(root, { run_id: "run-1" });
    expect(throughOfficialSchema(request)).not.toEqual(request);
  });

  it("has the kinds and statuses that are sent", async () => {
    const [root, chat, tool] = spansOf(await encodeRun(EVERYTHING_RUN, log(...EVERYTHING)));
    expect([root?.kind, chat?.kind, tool?.kind]).toEqual([
      OFFICIAL_SPAN_KINDS["SPAN_KIND_CLIENT"],
      OFFICIAL_SPAN_KINDS["SPAN_KIND_CLIENT"],
      OFFICIAL_SPAN_KINDS["SPAN_KIND_INTERNAL"],
    ]);
    expect(root?.status.code).toBe(OFFICIAL_STATUS_CODES["STATUS_CODE_ERROR"]);
    expect(chat?.status.code).toBe(OFFICIAL_STATUS_CODES["STATUS_CODE_UNSET"]);
  });

  it("takes whatever agents send, and times never run backwards", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(hostileEvent, { maxLength: 12 }), fc.boolean(), async (hostile, content) => {
        const events = hostile.map((event, sequence) => ({ ...event, sequence }));
        const run = { ...EVERYTHING_RUN, agent: "\ud800", trace_id: "" };
        const request = await encodeRun(run, events as ReturnType<typeof log>, { content, maxSpans: 6 });
        expect(throughOfficialSchema(request)).toEqual(JSON.parse(JSON.stringify(request)));
        expect(malformedTexts(request)).toEqual([]);
        const spans = spansOf(request);
        expect(spans.length).toBeLessThanOrEqual(6);
        const [root] = spans;
        for (const span of spans) {
          expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
          expect(span.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
          if (span !== root) expect(span.parentSpanId).toBe(root?.spanId);
        }
        expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

describe("attribute names of a trace", () => {
  it("outside proctor.* are all OpenTelemetry's", async () => {
    const official = new Set<unknown>(Object.values(conventions));
    const foreign = (await everyName()).filter((name) => !name.startsWith("proctor."));
    expect(foreign.length).toBeGreaterThan(12);
    expect(foreign.filter((name) => !official.has(name))).toEqual([]);
  });

  it("are those of the reference, and no other", async () => {
    const file = new URL("../../../../../docs/reference/opentelemetry.md", import.meta.url);
    const text = readFileSync(file, "utf8");
    const listed = [...text.matchAll(/^\| `([a-z_]+(?:\.[a-z_]+)+)` \|/gm)].map(([, name = ""]) => name);
    expect(listed.sort()).toEqual(
      [...(await everyName()), ...Object.keys(EVENT_FIELDS).filter((type) => type.includes("."))].sort(),
    );
    for (const type of Object.keys(EVENT_FIELDS)) expect(text).toContain(`| \`${type}\` |`);
  });
});

describe("a run as a trace", () => {
  it("is one span with the run's trace id, time and figures", async () => {
    const metrics = { input_tokens: 10, output_tokens: 5, total_steps: 3, cost_usd: 1 };
    const metadata = { suite: "smoke", test_id: "poem", run_number: 2 };
    const { root, calls } = await encode([], { metrics, metadata });
    expect(calls).toEqual([]);
    expect(root).toMatchObject({ name: "invoke_agent writer", traceId: "0af7651916cd43dd8448eb211c80319c" });
    expect(root.parentSpanId).toBeUndefined();
    expect(root.status).toEqual({ code: 0 });
    expect(seconds(root)).toEqual([0, 60]);
    expect(record(root.attributes)).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "writer",
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 5,
      "proctor.run.id": "run-1",
      "proctor.run.status": "completed",
      "proctor.run.attempt": 1,
      "proctor.run.steps": 3,
      "proctor.run.cost_usd": 1,
      "proctor.suite": "smoke",
      "proctor.test.id": "poem",
      "proctor.test.run_number": 2,
    });
  });

  it.each(["failed", "timeout", "cancelled", "partial", "rejected"] as const)(
    "that is %s is an error",
    async (status) => {
      const { root } = await encode([], { status });
      expect(root.status).toEqual({ code: 2, message: `the run ended as ${status}` });
      expect(record(root.attributes)["error.type"]).toBe(status);
    },
  );

  it("names the kind of its failure, and its words only with content", async () => {
    const changes: Partial<Run> = {
      status: "failed",
      failure: { code: "TIMEOUT", message: "while reading /x" },
    };
    const { root } = await encode([], changes);
    expect(root.status.message).toBe("the run exceeded its time limit");
    expect(record(root.attributes)["error.type"]).toBe("TIMEOUT");
    const told = await encode([], changes, { content: true });
    expect(told.root.status.message).toBe("while reading /x");
  });

  it("that is still going ends with its last event, and is no error", async () => {
    const { root } = await encode([["progress", {}]], { status: "running", ended_at: null });
    expect(seconds(root)).toEqual([0, 1]);
    expect(root.status).toEqual({ code: 0 });
  });

  it("shows what the agent asked and who answered, and neither in words unless content is asked for", async () => {
    const question = {
      id: "q",
      kind: "permission",
      audience: "human",
      blocking: true,
      parts: [{ kind: "text", text: "may I?" }],
    };
    const answer = { id: "a", by: { kind: "human" }, outcome: "given", option: "allow", data: "words" };
    const asked: Entry[] = [
      ["question.asked", { question }],
      ["question.answered", { id: "q", answer }],
    ];
    const { root, request } = await encode(asked);
    expect(root.events?.map(({ attributes }) => record(attributes))).toMatchObject([
      {
        "proctor.question.asked.kind": "permission",
        "proctor.question.asked.audience": "human",
        "proctor.question.asked.blocking": true,
      },
      {
        "proctor.question.answered.id": "q",
        "proctor.question.answered.outcome": "given",
        "proctor.question.answered.option": "allow",
        "proctor.question.answered.by": "human",
      },
    ]);
    expect(JSON.stringify(request)).not.toMatch(/may I|words/);
  });

  it("yields the same spans each time", async () => {
    const [first, second] = [await encode(EVERYTHING), await encode(EVERYTHING)];
    expect(first.request).toEqual(second.request);
    const other = await encode(EVERYTHING, { id: "run-2" });
    const ids = [...spansOf(first.request), ...spansOf(other.request)].map(({ spanId }) => spanId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("says who sends it", async () => {
    const resourceOf = async (options: Parameters<typeof encodeRun>[2]): Promise<Record<string, unknown>> => {
      const { request } = await encode([], {}, options);
      return record(request.resourceSpans[0]?.resource.attributes);
    };
    expect(await resourceOf({})).toMatchObject({
      "service.name": "proctor",
      "service.version": expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      "telemetry.sdk.language": "nodejs",
    });
    const attributes = { "service.name": "lab", "deployment.environment.name": "ci", bad: Number.NaN };
    expect(await resourceOf({ attributes })).toMatchObject({ "service.name": "lab" });
    const named = await resourceOf({ attributes, serviceName: "mine" });
    expect(named).toMatchObject({ "service.name": "mine", "deployment.environment.name": "ci" });
    expect(named).not.toHaveProperty("bad");
  });
});

describe("calls in a trace", () => {
  it("of models are chat spans that end when they were recorded", async () => {
    const payload = {
      model: "m-1",
      provider: "openai",
      input_tokens: 3,
      stop_reason: "stop",
      duration_ms: 250,
    };
    const { root, calls } = await encode([["llm_request", payload]]);
    expect(calls).toMatchObject([
      { name: "chat m-1", kind: 3, parentSpanId: root.spanId, status: { code: 0 } },
    ]);
    expect(calls.map(seconds)).toEqual([[0.75, 1]]);
    expect(record(calls[0]?.attributes)).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "m-1",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.usage.input_tokens": 3,
    });
  });

  it("of tools that report start and end are one span", async () => {
    const { calls } = await encode([
      ["tool_call", { tool: "search", call_id: "a", status: "started" }],
      ["tool_call", { tool: "read", call_id: "b", status: "started" }],
      ["tool_call", { call_id: "a", status: "success" }],
      ["tool_call", { call_id: "b", status: "failed", duration_ms: 500 }],
    ]);
    expect(calls.map(({ name }) => name)).toEqual(["execute_tool search", "execute_tool read"]);
    expect(calls.map(seconds)).toEqual([
      [1, 3],
      [3.5, 4],
    ]);
    expect(calls.map(({ status }) => status.code)).toEqual([0, 2]);
    expect(record(calls[1]?.attributes)).toMatchObject({
      "gen_ai.tool.name": "read",
      "gen_ai.tool.call.id": "b",
      "error.type": "failed",
      "proctor.observed": false,
    });
  });

  it("that never end, end with the run and say so", async () => {
    const { calls } = await encode([["tool_call", { tool: "search", call_id: "a", status: "running" }]]);
    expect(calls.map(seconds)).toEqual([[1, 60]]);
    expect(record(calls[0]?.attributes)).toMatchObject({ "proctor.unfinished": true });
  });

  it("that the platform saw are marked, beside those that the agent reports", async () => {
    const { calls } = await encode([
      [
        "tool.called",
        { tool: "search", status: "error", error_code: "TOOL_ERROR", mode: "mock", duration_ms: 100 },
      ],
      ["tool_call", { tool: "search" }],
    ]);
    expect(calls.map((span) => record(span.attributes)["proctor.observed"])).toEqual([true, false]);
    expect(calls.map(({ status }) => status.code)).toEqual([2, 0]);
    expect(record(calls[0]?.attributes)["error.type"]).toBe("TOOL_ERROR");
  });

  it("do not begin before the run, however long the agent says they took", async () => {
    const { calls } = await encode([
      ["llm_request", { duration_ms: 1e300 }],
      ["llm_request", { duration_ms: -5 }],
    ]);
    expect(calls.map(seconds)).toEqual([
      [0, 1],
      [2, 2],
    ]);
  });

  it("and the run have no negative length when the clock was set back", async () => {
    const begun: Entry = ["tool_call", { call_id: "a", status: "started" }];
    const { root, calls } = await encode([begun], { ended_at: "2026-03-01T09:00:00.000Z" });
    expect([root, ...calls].map(seconds)).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it("have no attribute for what is of the wrong type", async () => {
    const { calls } = await encode([
      [
        "llm_request",
        { model: { a: 1 }, input_tokens: "9", output_tokens: -1, temperature: [], stop_reason: null },
      ],
      ["tool_call", "not an object"],
    ]);
    expect(calls.map(({ name }) => name)).toEqual(["chat", "execute_tool"]);
    expect(record(calls[0]?.attributes)).toEqual({
      "gen_ai.operation.name": "chat",
      "proctor.event.sequence": 0,
    });
  });
});

describe("an agent's text in a trace", () => {
  const secret = "the secret plan";
  const talk: Entry[] = [
    ["reasoning", { thought: secret }],
    ["log", { stream: "stdout", text: secret }],
    ["error", { error_type: "Odd", message: secret }],
    ["llm_request", { model: "m", prompt: secret }],
    ["tool_call", { tool: "t", input: secret, output: { deep: secret }, error: secret }],
    ["run.cancel_requested", { reason: secret }],
  ];

  it("is left out unless content is asked for", async () => {
    const { request, root } = await encode(talk, { task: { description: secret }, status: "failed" });
    expect(root.events?.map(({ name }) => name)).toEqual([
      "reasoning",
      "log",
      "error",
      "run.cancel_requested",
    ]);
    expect(JSON.stringify(request)).not.toContain(secret);
  });

  it("is sent with content, shortened to 4 kB", async () => {
    const { request, root, calls } = await encode(talk, { task: { description: secret } }, { content: true });
    expect(JSON.stringify(request).split(secret).length - 1).toBe(9);
    expect(record(root.attributes)["gen_ai.input.messages"]).toBe(
      JSON.stringify([{ role: "user", parts: [{ type: "text", content: secret }] }]),
    );
    expect(record(calls[1]?.attributes)["gen_ai.tool.call.result"]).toBe(JSON.stringify({ deep: secret }));

    const long = await encode([["log", { text: "ü".repeat(100_000) }]], {}, { content: true });
    const text = String(record(long.root.events?.[0]?.attributes)["proctor.log.text"]);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4096);
    expect(text).toMatch(/^ü{2000,}…$/);
  });
});

describe("a run that is too large for a trace", () => {
  it("keeps the first spans and counts the rest", async () => {
    const { root, calls } = await encode(
      Array.from({ length: 9 }, (): Entry => ["llm_request", {}]),
      {},
      { maxSpans: 4 },
    );
    expect(calls).toHaveLength(3);
    expect(record(root.attributes)["proctor.spans.dropped"]).toBe(6);
  });

  it.each([9000, 1])("keeps its errors when logs of %i bytes flood it, and counts the rest", async (size) => {
    const flood = Array.from({ length: 3000 }, (): Entry => ["log", { text: "x".repeat(size) }]);
    const { root } = await encode(
      [...flood, ["error", { message: "y".repeat(4000) }]],
      {},
      { content: true },
    );
    const kept = root.events ?? [];
    expect(kept.at(-1)?.name).toBe("error");
    expect(kept.length + (root.droppedEventsCount ?? 0)).toBe(3001);
    expect(JSON.stringify(root).length).toBeLessThan(1024 * 1024);
  });
});

/** Strings with half a surrogate pair. */
function malformedTexts(value: unknown): string[] {
  if (typeof value === "string") return value.isWellFormed() ? [] : [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(malformedTexts) : [];
}

async function everyName(): Promise<string[]> {
  const request = await encodeRun(EVERYTHING_RUN, log(...EVERYTHING), { content: true });
  const [small] = spansOf(await encodeRun(EVERYTHING_RUN, log(...EVERYTHING), { maxSpans: 1 }));
  const lists = [
    ...request.resourceSpans.map(({ resource }) => resource.attributes),
    ...spansOf(request).flatMap(({ attributes, events = [] }) => [
      attributes,
      ...events.map((event) => event.attributes),
    ]),
    small?.attributes ?? [],
  ];
  return [...new Set(lists.flat().map(({ key }) => key))].sort();
}

/** Half surrogate pairs included. */
const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0xd7ff, max: 0xe000 }), fc.integer({ min: 0, max: 0xffff })), {
    maxLength: 12,
  })
  .map((units) => String.fromCharCode(...units));
const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  anyText,
  fc.double({ noNaN: true }),
  fc.constantFrom("started", "error", "c1", null, 1e308, -1, 2 ** 53, "x".repeat(5000)),
);
const FIELDS = `tool input output duration_ms status error call_id model provider input_tokens output_tokens temperature
  stop_reason cost_usd thought message from_state percentage recoverable rule stream text code http_status error_code`;
const hostilePayload = fc.oneof(
  anyJson,
  fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS.split(/\s+/)), anyText), anyJson, { maxKeys: 8 }),
  fc.record({ artifact: anyJson }),
);
const hostileEvent = fc.record({
  run_id: fc.constant("run-1"),
  timestamp: fc.oneof(
    fc.constantFrom("", "never", "+275760-09-13T00:00:00.000Z", "-000001-01-01T00:00:00Z"),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  ),
  type: fc.constantFrom(
    "llm_request",
    "tool_call",
    "tool_call",
    "tool.called",
    "unknown",
    ...Object.keys(EVENT_FIELDS),
  ),
  payload: hostilePayload,
});
