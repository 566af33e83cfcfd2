import { describe, expect, it } from "vitest";
import { applyEvent } from "../../core/fold.ts";
import type { Json } from "../../core/json.ts";
import { createAtpReader } from "./reader.ts";

const TASK = "550e8400-e29b-41d4-a716-446655440000";

describe("reading an ATP agent's lines", () => {
  it("takes an event with its payload, and keeps the agent's own sequence and unknown fields", () => {
    const line = createAtpReader(TASK).read(event({ sequence: 0, spice: 1 }));
    expect(line).toMatchObject({
      kind: "event",
      violations: [],
      event: { type: "progress", payload: { percentage: 5 }, origin: { sequence: 0, spice: 1 } },
    });
  });

  it("records repeated and skipped sequence numbers and keeps the events", () => {
    const reader = createAtpReader(TASK);
    const rules = [0, 0, 1, 5, 6].map((sequence) => {
      const line = reader.read(event({ sequence }));
      expect(line.kind).toBe("event");
      return line.violations.map((violation) => violation.rule);
    });
    expect(rules).toEqual([[], ["atp.sequence.repeated"], [], ["atp.sequence.gap"], []]);
  });

  it("keeps an event kind it does not know, marked unknown, so that no agent writes our own kinds", () => {
    const line = createAtpReader(TASK).read(event({ event_type: "run.ended" }));
    expect(line).toMatchObject({
      kind: "event",
      event: { type: "unknown", payload: { event_type: "run.ended", payload: { percentage: 5 } } },
    });
    expect(line.violations).toMatchObject([{ rule: "atp.event", where: "event.event_type" }]);
  });

  it("rejects another major version and accepts a higher minor (Compatibility Rules 2 and 3)", () => {
    const reader = createAtpReader(TASK);
    expect(reader.read(event({ version: "2.0" }))).toMatchObject({
      kind: "other",
      violations: [{ rule: "atp.version" }],
    });
    expect(reader.read(event({ version: "1.9" })).kind).toBe("event");
    expect(reader.read(response({ version: "2.0" })).kind).toBe("unusable");
  });

  it("records a message for another task and takes it", () => {
    const line = createAtpReader(TASK).read(response({ task_id: "00000000-0000-4000-8000-000000000000" }));
    expect(line).toMatchObject({
      kind: "response",
      violations: [{ rule: "atp.task_id", where: "response.task_id" }],
    });
  });

  it("accepts a response without metrics and artifacts, and says what is missing", () => {
    const line = createAtpReader(TASK).read(
      JSON.stringify({ version: "1.0", task_id: TASK, status: "completed" }),
    );
    expect(line.kind).toBe("response");
    expect(line.violations.map(({ where }) => where)).toEqual(["response.artifacts", "response.metrics"]);
  });

  it("does not take an unknown status for a response", () => {
    expect(createAtpReader(TASK).read(response({ status: "done" }))).toMatchObject({
      kind: "unusable",
      violations: [{ where: "response.status" }],
    });
  });

  it("does not parse a document that is nested too deeply", () => {
    const deep = `{"event_type":"progress","payload":${'{"a":'.repeat(5000)}1${"}".repeat(5001)}`;
    expect(createAtpReader(TASK).read(deep)).toMatchObject({
      kind: "other",
      violations: [{ rule: "atp.json" }],
    });
  });

  it("reports broken JSON and leaves other text alone", () => {
    const reader = createAtpReader(TASK);
    expect(reader.read('{"version":').violations).toMatchObject([{ rule: "atp.json" }]);
    expect(reader.read("Traceback (most recent call last):")).toEqual({ kind: "other", violations: [] });
    expect(reader.read('{"some":"thing"}')).toEqual({ kind: "other", violations: [] });
  });
});

describe("payloads: the types that the document's examples have", () => {
  const wrong: [type: string, field: string, value: Json][] = [
    ["tool_call", "tool", 7],
    ["tool_call", "duration_ms", "1500"],
    ["tool_call", "status", { ok: true }],
    ["tool_call", "error", { message: "x" }],
    ["tool_call", "call_id", [1]],
    ["llm_request", "model", null],
    ["llm_request", "input_tokens", "2000"],
    ["llm_request", "output_tokens", [500]],
    ["llm_request", "temperature", "hot"],
    ["llm_request", "stop_reason", 1],
    ["llm_request", "cost_usd", "0.1"],
    ["reasoning", "thought", ["a"]],
    ["reasoning", "plan", "search"],
    ["reasoning", "step", 1],
    ["state_change", "from_state", 0],
    ["state_change", "to_state", {}],
    ["state_change", "reason", false],
    ["artifact_created", "artifact_type", 1],
    ["artifact_created", "path", ["a"]],
    ["artifact_created", "size_bytes", "2100"],
    ["error", "error_type", 500],
    ["error", "message", {}],
    ["error", "recoverable", "yes"],
    ["error", "retry_after_ms", "soon"],
    ["progress", "current_step", "15"],
    ["progress", "total_steps", null],
    ["progress", "percentage", "60%"],
    ["progress", "message", 1],
  ];

  it.each(wrong)(
    "%s.%s of another type is a violation; the event is taken without it",
    (type, field, value) => {
      const line = createAtpReader(TASK).read(
        event({ event_type: type, payload: { [field]: value, spice: 1 } }),
      );
      expect(line.violations).toEqual([
        {
          rule: "atp.event.payload",
          message: expect.stringContaining(`${field} must be a`) as string,
          where: `event.payload.${field}`,
        },
      ]);
      expect(line).toMatchObject({ kind: "event", event: { type, origin: { payload: { [field]: value } } } });
      expect(line.kind === "event" && line.event.payload).toEqual({ spice: 1 });
    },
  );

  it("a call_id of more than 256 characters is a violation; the event is taken without it", () => {
    const call_id = "x".repeat(257);
    const line = createAtpReader(TASK).read(
      event({ event_type: "tool_call", payload: { call_id, spice: 1 } }),
    );
    expect(line.violations).toMatchObject([{ rule: "atp.event.payload", where: "event.payload.call_id" }]);
    expect(line).toMatchObject({ event: { origin: { payload: { call_id } } } });
    expect(line.kind === "event" && line.event.payload).toEqual({ spice: 1 });
  });

  it("takes what the document's examples hold, and anything as input and output", () => {
    const reader = createAtpReader(TASK);
    const payload = { tool: "t", input: "q", output: null, error: null, status: "success", call_id: "1" };
    const line = reader.read(event({ event_type: "tool_call", payload }));
    expect(line).toMatchObject({ kind: "event", violations: [], event: { payload } });
    expect(line.kind === "event" && line.event.origin).not.toHaveProperty("payload");
  });

  it("leaves nothing in a payload that the fold cannot count", () => {
    const reader = createAtpReader(TASK);
    let state = applyEvent(null, TASK, created, 0);
    for (const call_id of [[1], {}, 7, null, true]) {
      const line = reader.readMessage({ event_type: "tool_call", payload: { call_id, status: "started" } });
      if (line.kind === "event") state = applyEvent(state, TASK, line.event, 0);
    }
    expect(state.openCalls).toEqual([]);
    expect(state.run.metrics.tool_calls).toBe(5);
  });
});

describe("what real agents send", () => {
  it("is taken without a task id, version, time, sequence or payload, each a violation", () => {
    const line = createAtpReader(TASK).read('{"event_type":"progress"}');
    expect(line).toMatchObject({ kind: "event", event: { type: "progress", payload: {} } });
    expect(line.violations.map(({ rule, where }) => `${rule} ${where}`)).toEqual([
      "atp.event event.version",
      "atp.event event.task_id",
      "atp.event event.timestamp",
      "atp.event event.sequence",
      "atp.event event.payload",
      "atp.task_id event.task_id",
    ]);
  });

  it("may name kinds of events that a later minor adds", () => {
    const reader = createAtpReader(TASK);
    const later = reader.read(event({ event_type: "handoff", version: "1.1" }));
    expect(later).toMatchObject({ kind: "event", event: { type: "unknown" }, violations: [] });
    expect(reader.read(event({ event_type: "handoff", sequence: 1 })).violations).toHaveLength(1);
  });

  it.each([
    ["1.12", []],
    ["1", ["atp.event event.version"]],
    ["1.0.3", ["atp.event event.version"]],
    [1, ["atp.event event.version"]],
  ])("may say version %j", (version, expected) => {
    const { kind, violations } = createAtpReader(TASK).read(event({ version }));
    expect(kind).toBe("event");
    expect(violations.map(({ rule, where }) => `${rule} ${where}`)).toEqual(expected);
  });

  it.each(["2", "10.0", "one", "", "v1.0", "1.", "1.x"])("may not say version %j", (version) => {
    const line = createAtpReader(TASK).read(response({ version }));
    expect(line).toMatchObject({
      kind: "unusable",
      violations: [{ rule: "atp.version", where: "response.version" }],
    });
  });

  it("is not repeated in a violation when it is long: half a secret would not be recognised", () => {
    const long = "s3cret".repeat(1000);
    for (const fields of [{ version: long }, { task_id: long }]) {
      const { violations } = createAtpReader(TASK).read(event(fields));
      expect(violations.length).toBeGreaterThan(0);
      expect(JSON.stringify(violations)).not.toContain("s3cret");
    }
  });

  it("counts a sequence only when it is one", () => {
    const reader = createAtpReader(TASK);
    const rules = [0, 1.5, -3, "7", 1].map((sequence) =>
      reader.read(event({ sequence })).violations.map(({ rule, where }) => `${rule} ${where}`),
    );
    const schema = ["atp.event event.sequence"];
    expect(rules).toEqual([[], schema, schema, schema, []]);
  });
});

describe("messages that did not come as text", () => {
  it("are read alike", () => {
    const texts = [event({}), event({ sequence: 5 }), response({}), response({ status: "done" }), '{"a":1}'];
    const asText = createAtpReader(TASK);
    const asValue = createAtpReader(TASK);
    for (const text of texts)
      expect(asValue.readMessage(JSON.parse(text) as Json)).toEqual(asText.read(text));
  });

  it.each([[null], [[]], ["text"], [1], [true]])("may be no message at all: %j", (message) => {
    expect(createAtpReader(TASK).readMessage(message)).toEqual({ kind: "other", violations: [] });
  });

  it("are not read when they are nested too deeply", () => {
    let deep: Json = {};
    for (let level = 0; level < 100_000; level++) deep = { deep };
    const line = createAtpReader(TASK).readMessage({ event_type: "progress", payload: deep });
    expect(line).toMatchObject({ kind: "other", violations: [{ rule: "atp.json" }] });
  });
});

const created = {
  type: "run.created" as const,
  payload: {
    agent: "a",
    spec: { protocol: "atp", transport: "stdio" },
    task: { description: "x" },
    constraints: {},
    context: {},
    metadata: {},
    retry: null,
    attempt: 1,
    retry_of: null,
    trace_id: "1".repeat(32),
  },
};

function event(fields: object): string {
  const timestamp = "2025-01-21T10:30:45.123Z";
  const base = { version: "1.0", task_id: TASK, timestamp, sequence: 0, event_type: "progress" };
  return JSON.stringify({ ...base, payload: { percentage: 5 }, ...fields });
}

function response(fields: object): string {
  return JSON.stringify({
    version: "1.0",
    task_id: TASK,
    status: "completed",
    artifacts: [],
    metrics: {},
    ...fields,
  });
}

describe("a message that lacks what tells its kind", () => {
  it("is an event when it has the rest of one, and the missing field is named", () => {
    const line = createAtpReader(TASK).read(event({ event_type: undefined, type: "progress" }));
    expect(line).toEqual({
      kind: "other",
      violations: [{ rule: "atp.event", message: "event.event_type is missing", where: "event.event_type" }],
    });
  });

  it("is a response when it has the rest of one", () => {
    const text = JSON.stringify({ version: "1.0", task_id: TASK, artifacts: [], metrics: {} });
    expect(createAtpReader(TASK).read(text)).toEqual({
      kind: "unusable",
      violations: [{ rule: "atp.response", message: "response.status is missing", where: "response.status" }],
    });
  });
});

describe("the message of a violation", () => {
  it("says what is missing, and never what a validator says", () => {
    const { violations } = createAtpReader(TASK).read(JSON.stringify({ status: "completed", task_id: TASK }));
    expect(violations.map(({ message }) => message)).toEqual([
      "response.version is missing",
      "response.artifacts is missing",
      "response.metrics is missing",
    ]);
  });
});

describe("task ids", () => {
  it("are UUIDs in either case", () => {
    const reader = createAtpReader(TASK);
    expect(reader.read(event({ task_id: TASK.toUpperCase() })).violations).toEqual([]);
    expect(
      reader.read(event({ task_id: TASK.toUpperCase().replace("5", "6"), sequence: 1 })).violations,
    ).toHaveLength(1);
    expect(createAtpReader("Job-1").read(event({ task_id: "job-1" })).violations).toMatchObject([
      { rule: "atp.event" },
      { rule: "atp.task_id" },
    ]);
  });
});

it("a message behind a byte order mark is taken, with a violation", () => {
  expect(createAtpReader(TASK).read(`\ufeff${event({})}`)).toMatchObject({
    kind: "event",
    violations: [{ rule: "line.encoding", message: expect.stringContaining("byte order mark") as string }],
  });
});
