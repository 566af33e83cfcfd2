// The messages of document 000, sentence by sentence: its own examples, the tables of fields, the limits, the lists of words.
// Each title begins with the heading it is about. What needs a whole hub is document-run.test.ts; README.md says which
// test holds which sentence.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../core/canonical-json.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Job } from "../../core/ports/driver.ts";
import { TERMINAL_STATUSES, type Run } from "../../core/run.ts";
import { decodeArtifact } from "./artifacts.ts";
import { decodeResponse, encodeEvent, encodeRequest, encodeResponse } from "./codec.ts";
import { ATP_ERROR_CODES } from "./errors.ts";
import { createAtpReader } from "./reader.ts";
import { decodeRequest } from "./request.ts";

const REQUEST = read("request-full.json");
const RESPONSE = read("response-completed.json");
const EVENT = { ...read("event-tool-call.json"), sequence: 0 };
const TASK = "550e8400-e29b-41d4-a716-446655440000";

/** Complete JSON examples; the hash is that of the canonical JSON of the example as it is printed. */
const EXAMPLES: [section: string, file: string, keys: string[], sha256: string][] = [
  ["ATP Request", "request-full.json", Object.keys(REQUEST), "95a358b4de976e76"],
  ["ATP Response", "response-completed.json", Object.keys(RESPONSE), "1ed6fd2fc516adfc"],
  ["Artifact Types", "response-reference.json", ["artifacts"], "93ede153367f2f71"],
  ["Event Types", "event-llm-request.json", ["event_type", "payload"], "3c01c18dd204ab1a"],
  ["Event Types", "event-reasoning.json", ["event_type", "payload"], "e4aea0a5addf91b7"],
  ["Event Types", "event-state-change.json", ["event_type", "payload"], "9111d725bc3cb9a2"],
  ["Event Types", "event-artifact-created.json", ["event_type", "payload"], "012c229e8cc72702"],
  ["Event Types", "event-error.json", ["event_type", "payload"], "15e4ae988ee136b4"],
  ["Event Types", "event-progress.json", ["event_type", "payload"], "c48e7d3fc89fff90"],
  ["JSON Schema for ATP Request", "document/request.schema.json", [], "132f2a0a42e979f1"],
  ["JSON Schema for ATP Response", "document/response.schema.json", [], "2b11f8e15ae239b9"],
  ["JSON Schema for ATP Event", "document/event.schema.json", [], "f344bc131949edc3"],
  [
    "Error Response",
    "response-error.json",
    ["version", "status", "artifacts", "metrics", "error"],
    "25e55659993401dc",
  ],
  [
    "Error Codes (Optional Extension)",
    "response-failed.json",
    ["error", "error_code", "error_details"],
    "c7f2aa09c4e6ca3a",
  ],
];

it.each(EXAMPLES)(
  '"%s": corpus/%s holds the example as the document prints it',
  (_section, file, keys, sha256) => {
    const message = read(file);
    const part =
      keys.length === 0 ? message : Object.fromEntries(keys.map((key) => [key, message[key] ?? null]));
    expect(createHash("sha256").update(canonicalJson(part)).digest("hex").slice(0, 16)).toBe(sha256);
  },
);

it('"ATP Request": the example goes from a client to an agent with nothing lost', () => {
  const decoded = decodeRequest(REQUEST);
  if (!decoded.ok) throw new Error("refused");
  expect(decoded.violations).toEqual([]);
  const { task, constraints = {}, context = {}, metadata = {} } = decoded.request;
  const spec = { protocol: "atp", transport: "stdio" };
  const job: Job = { runId: TASK, spec, task, constraints, context, metadata, traceId: "1".repeat(32) };
  expect(encodeRequest(job)).toEqual(REQUEST);
});

describe("the tables of fields", () => {
  const requestFields: [field: string, type: string, required: boolean, wrong: Json][] = [
    ["version", "string", true, [1]],
    ["task_id", "string", true, 7],
    ["task", "object", true, "find them"],
    ["task.description", "string", true, 7],
    ["task.input_data", "object", false, []],
    ["task.expected_artifacts", "array", false, {}],
    ["constraints", "object", false, []],
    ["constraints.max_steps", "integer", false, 1.5],
    ["constraints.max_tokens", "integer", false, "100000"],
    ["constraints.timeout_seconds", "integer", false, 1.5],
    ["constraints.allowed_tools", "array", false, "web_search"],
    ["constraints.budget_usd", "number", false, "1.0"],
    ["context", "object", false, []],
    ["context.tools_endpoint", "string", false, 8080],
    ["context.workspace_path", "string", false, 7],
    ["context.environment", "object", false, []],
    ["metadata", "object", false, []],
  ];

  it.each(requestFields)('"Request Fields": %s is %s, required: %s', (field, _type, required, wrong) => {
    const without = decodeRequest(changed(REQUEST, field));
    expect(without).toMatchObject(
      required ? { ok: false, problems: [{ path: field }] } : { ok: true, violations: [] },
    );
    expect(decodeRequest(changed(REQUEST, field, wrong))).toMatchObject({
      ok: false,
      problems: [{ path: field }],
    });
  });

  const responseFields: [field: string, type: string, required: boolean, wrong: Json][] = [
    ["version", "string", true, 1],
    ["task_id", "string", true, 7],
    ["artifacts", "array", true, {}],
    ["metrics", "object", true, []],
    ["error", "string", false, { message: "x" }],
    ["trace_id", "string", false, 7],
  ];

  it.each(responseFields)('"Response Fields": %s is %s, required: %s', (field, _type, required, wrong) => {
    const places = (message: JsonObject): string[] => {
      const line = createAtpReader(TASK).readMessage(message);
      expect(line.kind).toBe("response");
      return line.violations.map(({ where = "" }) => where);
    };
    if (required) expect(places(changed(RESPONSE, field))).toContain(`response.${field}`);
    else expect(places(changed(RESPONSE, field))).toEqual([]);
    expect(places(changed(RESPONSE, field, wrong))).toContain(`response.${field}`);
  });

  it('"Response Fields": without a status that the document names there is no response', () => {
    const kind = (message: JsonObject): string => createAtpReader(TASK).readMessage(message).kind;
    expect(kind(changed(RESPONSE, "status"))).toBe("unusable");
    for (const status of ["done", "", "Completed"]) expect(kind({ ...RESPONSE, status })).toBe("unusable");
  });

  const eventFields: [field: string, type: string, wrong: Json][] = [
    ["version", "string", 1],
    ["task_id", "string", 7],
    ["timestamp", "ISO 8601", "yesterday"],
    ["sequence", "integer", "42"],
    ["event_type", "one of seven", "tool"],
  ];

  it.each(eventFields)('"Event Fields": %s is %s, and required', (field, _type, wrong) => {
    for (const message of [changed(EVENT, field), changed(EVENT, field, wrong)]) {
      const line = createAtpReader(TASK).readMessage(message);
      // What is of no kind is no event at all; an unknown kind is kept.
      if (field === "event_type" && message["event_type"] === undefined) expect(line.kind).toBe("other");
      else expect(line.violations.map(({ where }) => where)).toContain(`event.${field}`);
    }
  });

  it('"Event Fields": payload is an object, and required', () => {
    const read = (message: JsonObject) => createAtpReader(TASK).readMessage(message);
    expect(read(changed(EVENT, "payload")).violations).toMatchObject([{ where: "event.payload" }]);
    const list = read(changed(EVENT, "payload", [1]));
    expect(list).toMatchObject({ kind: "other", violations: [{ where: "event.payload" }] });
  });
});

describe("the limits of the request", () => {
  const ranges: [field: string, lowest: number, highest: number, step: number][] = [
    ["max_steps", 1, 1000, 1],
    ["max_tokens", 1, 10_000_000, 1],
    ["timeout_seconds", 1, 86_400, 1],
    ["budget_usd", 0, Number.MAX_VALUE, 0.01],
  ];

  it.each(ranges)('"JSON Schema for ATP Request": %s goes from %d to %d', (field, lowest, highest, step) => {
    const ask = (value: number) => decodeRequest(changed(REQUEST, `constraints.${field}`, value));
    for (const value of [lowest, highest]) expect(ask(value)).toMatchObject({ ok: true, violations: [] });
    const beyond = [lowest - step, ...(highest === Number.MAX_VALUE ? [] : [highest + step])];
    for (const value of beyond) {
      expect(ask(value)).toMatchObject({ ok: false, problems: [{ path: `constraints.${field}` }] });
    }
  });

  it('"JSON Schema for ATP Request": an expected artifact is a file or structured, with format and name', () => {
    const ask = (expected: JsonObject) =>
      decodeRequest(changed(REQUEST, "task.expected_artifacts", [expected]));
    expect(ask({})).toMatchObject({ ok: true, violations: [] });
    expect(ask({ type: "structured", format: "json", name: "list" })).toMatchObject({ ok: true });
    for (const wrong of [{ type: "reference" }, { format: 1 }, { name: [] }])
      expect(ask(wrong).ok).toBe(false);
  });

  it('"JSON Schema for ATP Request": values of environment are texts, tools_endpoint is a URI', () => {
    const ask = (field: string, value: Json) => decodeRequest(changed(REQUEST, `context.${field}`, value));
    expect(ask("environment", { A: "" })).toMatchObject({ ok: true, violations: [] });
    for (const value of [1, null, true, {}]) expect(ask("environment", { A: value }).ok).toBe(false);
    expect(ask("tools_endpoint", "https://h/tools").ok).toBe(true);
    for (const value of ["/tools", "test harness", ""]) expect(ask("tools_endpoint", value).ok).toBe(false);
  });
});

describe("artifacts", () => {
  it('"Artifact Types": the example of a file, its content optional', () => {
    const file = {
      type: "file",
      path: "output/report.md",
      content_type: "text/markdown",
      size_bytes: 4523,
      content_hash: "sha256:...",
    };
    const described = decodeArtifact(file, 0);
    expect(described).toEqual({ artifact: file, violations: [] });
    expect(decodeArtifact({ ...file, content: "..." }, 0)).toEqual({
      artifact: { ...file, content: Buffer.from("...") },
      violations: [],
    });
  });

  it('"Artifact Types": the example of structured data, its schema optional', () => {
    const data = { competitors: [] };
    const structured = {
      type: "structured",
      name: "analysis_result",
      schema: "competitor_analysis_v1",
      data,
    };
    expect(decodeArtifact(structured, 0)).toEqual({ artifact: structured, violations: [] });
    const { schema: _, ...plain } = structured;
    expect(decodeArtifact(plain, 0)).toEqual({ artifact: plain, violations: [] });
  });

  it.each([
    ["file", { path: "a" }, "path"],
    ["structured", { name: "a", data: {} }, "name"],
    ["structured", { name: "a", data: {} }, "data"],
    ["reference", { path: "a" }, "path"],
  ] as [string, JsonObject, string][])(
    '"JSON Schema for ATP Response": an artifact of type %s with %j needs its %s',
    (type, fields, needed) => {
      expect(decodeArtifact({ type, ...fields }, 0).violations).toEqual([]);
      expect(decodeArtifact(changed({ type, ...fields }, needed), 0)).toMatchObject({
        violations: [{ rule: "atp.artifact", where: `artifacts.0.${needed}` }],
      });
    },
  );

  it('"JSON Schema for ATP Response": an artifact has one of three types', () => {
    for (const artifact of [{ path: "a" }, { type: "folder", path: "a" }, { type: "File", path: "a" }]) {
      expect(decodeArtifact(artifact, 0)).toMatchObject({ violations: [{ where: "artifacts.0.type" }] });
    }
  });

  it.each([
    ["total_tokens", 1.5],
    ["input_tokens", 1.5],
    ["output_tokens", 1.5],
    ["total_steps", 1.5],
    ["tool_calls", 1.5],
    ["llm_calls", 1.5],
    ["wall_time_seconds", "120"],
    ["cost_usd", "0.45"],
  ])('"JSON Schema for ATP Response": metrics.%s is no %j', (name, wrong) => {
    const line = createAtpReader(TASK).readMessage(changed(RESPONSE, `metrics.${name}`, wrong));
    expect(line.violations).toMatchObject([{ rule: "atp.response", where: `response.metrics.${name}` }]);
    expect(createAtpReader(TASK).readMessage(changed(RESPONSE, `metrics.${name}`)).violations).toEqual([]);
  });
});

describe("the lists of words", () => {
  it('"Status Values": five words, taken and sent as they are', () => {
    const words = ["completed", "failed", "timeout", "cancelled", "partial"] as const;
    // The sixth, `rejected`, is sent as `failed`.
    expect([...TERMINAL_STATUSES].sort()).toEqual([...words, "rejected"].sort());
    for (const status of words) {
      const line = createAtpReader(TASK).readMessage({ ...RESPONSE, status });
      expect(line).toMatchObject({ kind: "response", violations: [] });
      if (line.kind === "response") expect(decodeResponse(line.response).status).toBe(status);
      const run = { id: TASK, status, artifacts: [], metrics: {}, failure: null, trace_id: "t" };
      expect(encodeResponse(run as unknown as Run, () => undefined).status).toBe(status);
    }
  });

  it.each([
    "event-tool-call-error.json",
    "event-llm-request.json",
    "event-reasoning.json",
    "event-state-change.json",
    "event-artifact-created.json",
    "event-error.json",
    "event-progress.json",
  ])('"Event Types": the payload of %s comes from an agent and goes to a client as it is', (file) => {
    const message: JsonObject = { ...read(file), sequence: 0 };
    const line = createAtpReader(TASK).readMessage(message);
    expect(line).toMatchObject({ kind: "event", violations: [] });
    if (line.kind !== "event") return;
    const { type, payload } = line.event;
    const record = { run_id: TASK, sequence: 9, type, payload: JSON.stringify(payload), origin: null };
    const timestamp = Date.parse(message["timestamp"] as string);
    const sent = encodeEvent({ ...record, timestamp }, { taskId: TASK, sequence: 0 });
    expect(JSON.parse(sent ?? "")).toEqual(message);
  });

  it('"Standard Error Codes": seven codes', () => {
    expect([...ATP_ERROR_CODES]).toEqual([
      "INVALID_REQUEST",
      "TOOL_NOT_FOUND",
      "TOOL_ERROR",
      "LLM_ERROR",
      "TIMEOUT",
      "BUDGET_EXCEEDED",
      "INTERNAL_ERROR",
    ]);
  });

  it.each([...ATP_ERROR_CODES])(
    '"Standard Error Codes": %s of an agent is the code of its failure',
    (error_code) => {
      const end = decodeResponse({ status: "failed", error: "no", error_code });
      expect(end.failure).toEqual({ code: error_code, message: "no" });
    },
  );

  it('"Error Response": an agent that cannot says failed and why, and what it used is kept', () => {
    const line = createAtpReader(TASK).readMessage(read("response-error.json"));
    expect(line).toMatchObject({ kind: "response", violations: [] });
    if (line.kind !== "response") return;
    expect(decodeResponse(line.response)).toEqual({
      status: "failed",
      metrics: { total_tokens: 1500, total_steps: 5, wall_time_seconds: 45 },
      failure: { code: "AGENT_FAILED", message: "Tool 'database_query' not available" },
    });
  });
});

function read(file: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`./corpus/${file}`, import.meta.url), "utf8")) as JsonObject;
}

/** A copy with another value at a dotted path, or without it. */
function changed(message: JsonObject, path: string, value?: Json): JsonObject {
  const [name = "", ...rest] = path.split(".");
  const inner = message[name];
  const next = rest.length > 0 && isJsonObject(inner) ? changed(inner, rest.join("."), value) : value;
  const entries = Object.entries(message).filter(([key]) => key !== name);
  return Object.fromEntries(next === undefined ? entries : [...entries, [name, next]]);
}
