// Messages for property tests: valid ones with everything the document allows, and mutations of them, most of which it
// does not. Also the document's own schemas as ajv reads them, the judge of what is valid.
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { default as addFormats } from "ajv-formats";
import * as fc from "fast-check";
import { AGENT_EVENT_TYPES } from "../../../src/core/event.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/core/json.ts";
import { ATP_STATUSES } from "../../../src/protocols/atp/wire-parts.ts";

export type MessageName = "request" | "response" | "event";
export type Judge = (message: unknown) => boolean;

/** Draft-07 with formats. A judge remembers why in `judge.errors`. */
export function judgeOf(schema: JsonObject): Judge & { errors?: unknown } {
  const ajv = new Ajv({ allErrors: true, strictTypes: false });
  addFormats.default(ajv);
  return ajv.compile(schema) as Judge & { errors?: unknown };
}

export function documentSchema(name: MessageName): JsonObject {
  const file = new URL(`../../../src/protocols/atp/corpus/document/${name}.schema.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as JsonObject;
}

/** Fails with the judge's reasons. */
export function expectStrict(name: MessageName, message: unknown): void {
  const judge = judges[name];
  if (!judge(JSON.parse(JSON.stringify(message)))) throw new Error(JSON.stringify(judge.errors));
}

const judges = {
  request: judgeOf(documentSchema("request")),
  response: judgeOf(documentSchema("response")),
  event: judgeOf(documentSchema("event")),
};

export const anyJson = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
export const anyObject = fc.dictionary(fc.string({ maxLength: 8 }), anyJson, {
  maxKeys: 4,
}) as fc.Arbitrary<JsonObject>;
const uuid = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.uuid().map((id) => `urn:uuid:${id}`),
);
const whole = fc.oneof(fc.integer(), fc.constantFrom(0, -1, 1e300, 2 ** 53));
const amount = fc.double({ noNaN: true, noDefaultInfinity: true });
const uri = fc.oneof(fc.webUrl(), fc.constantFrom("urn:a:b", "http://[::1]:80/x", "a:b", "HTTP://X"));
const stamp = fc.oneof(
  fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date("9999-12-31") })
    .map((at) => at.toISOString()),
  fc.constantFrom("2025-01-21T10:30:45.123456+00:00", "2024-02-29 00:00:00z", "2016-12-31T23:59:60Z"),
);
const description = fc.oneof(
  { weight: 8, arbitrary: fc.string({ minLength: 1, unit: "grapheme" }) },
  { weight: 1, arbitrary: fc.constantFrom("🙂".repeat(10_000), "x".repeat(10_000), "\ud800") },
);

/** Known fields, all optional but the required, and sometimes others beside them. */
function message(
  fields: Record<string, fc.Arbitrary<unknown>>,
  ...required: string[]
): fc.Arbitrary<JsonObject> {
  const known = fc.record(fields, { requiredKeys: required });
  const extra = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: anyObject });
  return fc.tuple(extra, known).map(([others, own]) => {
    const free = Object.entries(others).filter(([name]) => !Object.hasOwn(fields, name));
    return Object.fromEntries([...free, ...Object.entries(own)]) as JsonObject;
  });
}

const described = { content_type: fc.string(), size_bytes: whole, content_hash: fc.string() };
const artifact = fc.oneof(
  message(
    { type: fc.constant("file"), path: fc.string(), ...described, content: fc.string() },
    "type",
    "path",
  ),
  message(
    { type: fc.constant("structured"), name: fc.string(), schema: fc.string(), data: anyObject },
    "type",
    "name",
    "data",
  ),
  message({ type: fc.constant("reference"), path: fc.string(), ...described }, "type", "path"),
);
const counts = ["total_tokens", "input_tokens", "output_tokens", "total_steps", "tool_calls", "llm_calls"];
const metrics = message({
  ...Object.fromEntries(counts.map((name) => [name, whole])),
  wall_time_seconds: amount,
  cost_usd: amount,
});
const expected = message({
  type: fc.constantFrom("file", "structured"),
  format: fc.string(),
  name: fc.string(),
});

export const validMessages: Record<MessageName, fc.Arbitrary<JsonObject>> = {
  request: message(
    {
      version: fc.constantFrom("1.0", "1.7", "2.0", "10.20"),
      task_id: uuid,
      task: message(
        { description, input_data: anyObject, expected_artifacts: fc.array(expected, { maxLength: 3 }) },
        "description",
      ),
      constraints: message({
        max_steps: fc.integer({ min: 1, max: 1000 }),
        max_tokens: fc.integer({ min: 1, max: 10_000_000 }),
        timeout_seconds: fc.integer({ min: 1, max: 86_400 }),
        allowed_tools: fc.array(fc.string(), { maxLength: 3 }),
        budget_usd: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
      }),
      context: message({
        tools_endpoint: uri,
        workspace_path: fc.string(),
        environment: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
      }),
      metadata: anyObject,
    },
    "version",
    "task_id",
    "task",
  ),
  response: message(
    {
      version: fc.string(),
      task_id: uuid,
      status: fc.constantFrom(...ATP_STATUSES),
      artifacts: fc.array(artifact, { maxLength: 3 }),
      metrics,
      error: fc.option(fc.string()),
      trace_id: fc.string(),
    },
    "version",
    "task_id",
    "status",
    "artifacts",
    "metrics",
  ),
  event: message(
    {
      version: fc.string(),
      task_id: uuid,
      timestamp: stamp,
      sequence: fc.oneof(fc.nat(), fc.constant(1e300)),
      event_type: fc.constantFrom(...AGENT_EVENT_TYPES),
      payload: anyObject,
    },
    "version",
    "task_id",
    "timestamp",
    "sequence",
    "event_type",
    "payload",
  ),
};

const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(
    null,
    true,
    0,
    -1,
    1.5,
    1001,
    1e300,
    86_401,
    "",
    "x",
    "1.0",
    "1",
    "v1.0",
    "1.0\n",
    [],
    {},
  ),
  fc.constantFrom<Json[]>(
    [1],
    ["a"],
    [null],
    [{}],
    ["a", 1],
    { a: 1 },
    { a: null },
    { type: "file" },
    { type: "x" },
  ),
  fc.constantFrom<Json[]>(
    "file",
    "structured",
    "reference",
    "done",
    "progress",
    "/relative",
    "http://a b",
    "a:",
  ),
  fc.constantFrom<Json[]>(
    "2025-02-29T00:00:00Z",
    "2025-01-21T10:30:45",
    "2025-01-21t10:30:45+01",
    "yesterday",
  ),
  fc.constantFrom<Json[]>("🙂".repeat(10_001), "x".repeat(10_001), "🙂".repeat(9_999), "urn:uuid:1"),
  anyJson,
);
const key = fc.constantFrom("__proto__", "constructor", "type", "name", "path", "data", "error", "spice");

/** Some place in the message replaced, removed, or something put beside it. */
const mutation = fc.record({
  at: fc.nat(),
  how: fc.constantFrom("replace", "replace", "remove", "add"),
  key,
  value: odd,
});

/** As parsed from text, like everything that comes over a wire. */
export function mutatedMessages(name: MessageName): fc.Arbitrary<Json> {
  return fc.tuple(validMessages[name], fc.array(mutation, { maxLength: 2 })).map(([valid, mutations]) => {
    let result = JSON.parse(JSON.stringify(valid)) as Json;
    for (const { at, how, key: added, value } of mutations) {
      const paths = pathsOf(result);
      const path = paths[at % paths.length] ?? [];
      result = changed(result, path, (old) => {
        if (how === "replace") return value;
        if (how === "remove") return undefined;
        return isJsonObject(old) ? Object.fromEntries([...Object.entries(old), [added, value]]) : value;
      });
    }
    return JSON.parse(JSON.stringify(result)) as Json;
  });
}

type Path = readonly string[];

function pathsOf(value: Json, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, entry]) => pathsOf(entry ?? null, [...path, name]))];
}

function changed(value: Json, path: Path, change: (old: Json) => Json | undefined): Json {
  const [name, ...rest] = path;
  if (name === undefined) return change(value) ?? null;
  const entries = Object.entries(value as JsonObject).flatMap(([own, entry]) => {
    if (own !== name) return [[own, entry] as const];
    const next = rest.length === 0 ? change(entry ?? null) : changed(entry ?? null, rest, change);
    return next === undefined ? [] : [[own, next] as const];
  });
  return Array.isArray(value) ? entries.map(([, entry]) => entry ?? null) : Object.fromEntries(entries);
}
