// Every message we send satisfies the document's own schemas, whatever agents and clients of any protocol put into core.
import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Artifact } from "../../core/artifact.ts";
import { AGENT_EVENT_TYPES, type EventType } from "../../core/event.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Job } from "../../core/ports/driver.ts";
import type { EventRecord } from "../../core/ports/store.ts";
import { requestProblems } from "../../core/request-problems.ts";
import { TERMINAL_STATUSES, type Run } from "../../core/run.ts";
import { decodeArtifact } from "./artifacts.ts";
import { decodeResponse, encodeEvent, encodeRequest, encodeResponse } from "./codec.ts";
import { anyJson, anyObject, expectStrict, mutatedMessages } from "../../../test/support/atp/messages.ts";
import { createAtpReader } from "./reader.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";

const SURE = { numRuns: propertyRuns(1500), seed: 1 };
const text = fc.string({ unit: "grapheme" });
const optional = fc.record;

const job: fc.Arbitrary<Job> = fc.record({
  runId: fc.uuid(),
  spec: fc.constant({ protocol: "atp", transport: "stdio", command: ["x"] }),
  task: fc
    .tuple(
      anyObject,
      optional({ input_data: anyObject, expected_artifacts: fc.array(hint()) }, { requiredKeys: [] }),
      fc.string({ minLength: 1 }),
    )
    .map(([extra, hints, description]) => ({
      ...without(extra, "input_data", "expected_artifacts"),
      ...hints,
      description,
    })),
  constraints: fc
    .tuple(
      anyObject,
      optional(
        {
          max_steps: fc.integer({ min: 1, max: 1000 }),
          max_tokens: fc.integer({ min: 1, max: 10_000_000 }),
          timeout_seconds: fc.integer({ min: 1, max: 86_400 }),
          allowed_tools: fc.option(fc.array(fc.string())),
          budget_usd: fc.double({ min: 0, noNaN: true }),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([extra, known]) => ({ ...extra, ...known })),
  context: optional(
    {
      tools_endpoint: fc.oneof(
        text,
        fc.webUrl(),
        fc.constantFrom("http://h/a b", "http://ü/é", "/relative", ""),
      ),
      workspace_path: text,
      environment: fc.dictionary(fc.string(), fc.string()),
    },
    { requiredKeys: [] },
  ),
  metadata: anyObject,
  traceId: fc.constant("1".repeat(32)),
}) as fc.Arbitrary<Job>;

/** Numbers as agents of any protocol report them. */
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(1.5, -1, 1e300));
/** Fields an agent sent that we do not know, and that may bear known names. */
const extensions = fc.dictionary(
  fc.constantFrom("content", "schema", "data", "content_type", "spice", "path"),
  anyJson,
);
const stored = optional(
  { content_type: text, size_bytes: number, content_hash: text, redacted: fc.boolean() },
  { requiredKeys: [] },
);
const artifact = fc
  .tuple(
    extensions,
    stored,
    fc.oneof(
      fc.record({ type: fc.constant("file"), path: text }),
      fc.record({ type: fc.constant("reference"), path: text }),
      fc.record({ type: fc.constant("structured"), name: text, data: anyJson }),
      fc.record({ type: fc.constant("structured"), name: text, data: fc.constant(undefined) }),
    ),
  )
  .map(([extra, described, own]) => ({ id: "a", ...extra, ...described, ...own }) as unknown as Artifact);

const run = fc.record({
  id: fc.uuid(),
  status: fc.constantFrom(...TERMINAL_STATUSES),
  artifacts: fc.array(artifact, { maxLength: 4 }),
  metrics: fc.dictionary(
    fc.constantFrom(
      "total_tokens",
      "input_tokens",
      "total_steps",
      "llm_calls",
      "wall_time_seconds",
      "cost_usd",
      "cache_read_tokens",
    ),
    fc.oneof(number, anyJson as fc.Arbitrary<unknown>),
  ),
  failure: fc.option(
    fc.record({ code: text, message: text, details: anyObject }, { requiredKeys: ["code", "message"] }),
  ),
  trace_id: fc.constant("1".repeat(32)),
}) as unknown as fc.Arbitrary<Run>;

describe("what we send is strict", () => {
  it("requests, for every task the hub takes", () => {
    fc.assert(
      fc.property(job, (job) => {
        expect(requestProblems({ ...job, agent: "x" })).toEqual([]);
        const request = encodeRequest(job);
        expectStrict("request", request);
        expect(request.task.description).toBe(job.task.description);
      }),
      SURE,
    );
  });

  it("responses, for every run, with any content", () => {
    const bytes = fc.option(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((json) => Buffer.from(json)),
      ),
      { nil: undefined },
    );
    fc.assert(
      fc.property(run, bytes, (run, bytes) =>
        expectStrict(
          "response",
          encodeResponse(run, () => bytes),
        ),
      ),
      SURE,
    );
  });

  it("events, for every record, and for nothing but what agents report", () => {
    const record = fc.record({
      run_id: fc.uuid(),
      sequence: fc.nat(),
      timestamp: fc.integer({ min: 0, max: Date.parse("9999-12-31") }),
      type: fc.constantFrom(...AGENT_EVENT_TYPES),
      payload: anyObject.map((payload) => JSON.stringify(payload)),
      origin: fc.option(anyObject.map((origin) => JSON.stringify(origin))),
    });
    fc.assert(
      fc.property(record, fc.uuid(), fc.nat(), (record, taskId, sequence) => {
        const event = JSON.parse(encodeEvent(record, { taskId, sequence }) ?? "") as JsonObject;
        expectStrict("event", event);
        expect(event).toMatchObject({
          task_id: taskId,
          sequence,
          payload: JSON.parse(record.payload) as JsonObject,
        });
      }),
      SURE,
    );
    const others: EventType[] = [
      "run.created",
      "run.ended",
      "artifact.added",
      "log",
      "violation",
      "unknown",
      "tool.called",
    ];
    for (const type of others)
      expect(encodeEvent(recordOf(type, {}), { taskId: "t", sequence: 0 })).toBeUndefined();
  });

  it("events and responses that came from an agent and go on to a client, whatever was wrong with them", () => {
    const taskId = "550e8400-e29b-41d4-a716-446655440000";
    const runs = propertyRuns(2000);
    let passed = 0;
    fc.assert(
      fc.property(fc.oneof(mutatedMessages("event"), mutatedMessages("response")), (message) => {
        const versioned = isJsonObject(message) ? { ...message, version: "1.0" } : message;
        const line = createAtpReader(taskId).readMessage(versioned);
        if (line.kind === "event" && line.event.type !== "unknown") {
          const { type, payload, origin } = line.event;
          const record = recordOf(type, payload, origin);
          expectStrict("event", JSON.parse(encodeEvent(record, { taskId, sequence: 0 }) ?? ""));
          passed++;
        }
        if (line.kind === "response") {
          const end = decodeResponse(line.response);
          const received = (line.response.artifacts ?? []).flatMap(
            (entry, index) => decodeArtifact(entry, index).artifact ?? [],
          );
          const artifacts = received.map(({ extensions, ...rest }) => ({
            ...extensions,
            ...without(rest as JsonObject, "content"),
            id: "a",
          }));
          const run = {
            id: taskId,
            ...end,
            failure: end.failure ?? null,
            artifacts,
            trace_id: "t",
          } as unknown as Run;
          expectStrict(
            "response",
            encodeResponse(run, () => undefined),
          );
          passed++;
        }
      }),
      { ...SURE, numRuns: runs },
    );
    expect(passed).toBeGreaterThan(runs / 4);
  });
});

describe("what we send is what was stored", () => {
  it("bytes of a file come back the same, text or not, whatever its type and size are said to be", () => {
    const content = fc.oneof(
      fc.uint8Array(),
      fc.string().map((it) => Buffer.from(it)),
      fc.base64String().map((it) => Buffer.from(it)),
    );
    fc.assert(
      fc.property(content, stored, (bytes, described) => {
        const file = { id: "a", type: "file", path: "x", ...described } as Artifact;
        const wire = encodeResponse({ ...emptyRun, artifacts: [file] }, () => bytes).artifacts[0] as Json;
        const { artifact } = decodeArtifact(wire, 0);
        expect(artifact?.type === "file" && Buffer.from(artifact.content ?? []).equals(bytes)).toBe(true);
      }),
      SURE,
    );
  });
});

const emptyRun = {
  id: "r",
  status: "completed",
  artifacts: [],
  metrics: {},
  failure: null,
  trace_id: "t",
} as unknown as Run;

function hint(): fc.Arbitrary<JsonObject> {
  const known = { type: fc.constantFrom("file", "structured"), format: text, name: text };
  return fc.record(known, { requiredKeys: [] });
}

function recordOf(type: EventType, payload: JsonObject, origin?: JsonObject): EventRecord {
  const text = origin === undefined ? null : JSON.stringify(origin);
  return { run_id: "r", sequence: 0, timestamp: 0, type, payload: JSON.stringify(payload), origin: text };
}

function without(object: JsonObject, ...names: string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}
