import { describe, expect, it } from "vitest";
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

  it("does not follow a document into the depths", () => {
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
