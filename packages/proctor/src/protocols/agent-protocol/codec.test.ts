import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import { artifactPath } from "../artifact-path.ts";
import { decodeStep, resultOf } from "./codec.ts";
import { readArtifact, readArtifactPage, readStep, readTaskId } from "./driver/read-wire.ts";
import { step } from "../../../test/support/agent-protocol/scripted-server.ts";
import { createUsage, type Usage } from "./driver/usage.ts";
import type { CompatStep } from "./wire.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";

function read(fields: JsonObject): CompatStep {
  const { value } = readStep(step(fields));
  if (!value) throw new Error("no step");
  return value;
}

const decode = (fields: JsonObject, number = 1, usage: Usage = createUsage()) =>
  decodeStep(read(fields), number, usage);
const eventsOf = (additional_output: JsonObject) =>
  decode({ additional_output }).events.filter(({ type }) => type !== "progress");

describe("an Agent Protocol step", () => {
  it("becomes a progress event with its number, name and output", () => {
    const { events } = decode({ name: "write", output: "ok", created_at: "now" }, 3);
    expect(events).toEqual([
      {
        type: "progress",
        payload: { current_step: 3, message: "write", output: "ok" },
        origin: expect.objectContaining({ step_id: "s", status: "completed", created_at: "now" }) as object,
      },
    ]);
  });

  it.each([
    ["its output where it has no name", { name: " ", output: "short" }, "short"],
    ["neither where both are long or none", { name: "n".repeat(201), output: "o".repeat(201) }, "step 1"],
    ["its number where the output is no text", { output: { a: 1 } }, "step 1"],
  ])("is called by %s", (_what, fields, message) => {
    expect(decode(fields).events[0]?.payload).toMatchObject({ message });
  });

  it("is kept whole as an artifact when it is too long for an event", () => {
    const output = "x".repeat(100_000);
    const { events, artifact } = decode({ output }, 2);
    expect(JSON.stringify(events).length).toBeLessThan(1000);
    expect(artifact).toMatchObject({ type: "structured", name: "step-2", data: { output } });
  });

  it("has a result when it is the last, unless it says nothing", () => {
    expect(resultOf(read({ output: "answer" }))).toMatchObject({
      name: "result",
      data: { output: "answer" },
    });
    expect(resultOf(read({ output: { n: 1 } }))).toMatchObject({ data: { output: { n: 1 } } });
    expect(resultOf(read({ output: null }))).toBeUndefined();
  });
});

describe("the inside of an Agent Protocol step", () => {
  it.each([
    [{ tool_calls: [{ tool: "search", input: 1, output: 2, duration_ms: 3, call_id: "c", extra: true }] }],
    [{ tool_call: { name: "search", args: 1, result: 2, duration_ms: 3, id: "c", extra: true } }],
    [{ last_action: { name: "search", arguments: 1, result: 2, duration_ms: 3, id: "c", extra: true } }],
  ])("shows tool calls, in any of their spellings: %j", (additional) => {
    const payload = { tool: "search", input: 1, output: 2, duration_ms: 3, call_id: "c", extra: true };
    expect(eventsOf(additional)).toEqual([{ type: "tool_call", payload }]);
  });

  it("shows that a tool failed", () => {
    const result = { error: "no such file" };
    expect(eventsOf({ last_action: { name: "read", result } })).toMatchObject([
      { payload: { tool: "read", status: "error", error: "no such file" } },
    ]);
  });

  it("shows requests to a model, without numbers that are not numbers", () => {
    const llm_requests = [{ model: "m", prompt_tokens: 5, output_tokens: "many", cost_usd: 0.5 }];
    expect(eventsOf({ llm_requests })).toEqual([
      { type: "llm_request", payload: { model: "m", input_tokens: 5, cost_usd: 0.5 } },
    ]);
  });

  it.each([
    [{ thoughts: "hm" }, { thought: "hm" }],
    [{ thoughts: { text: "hm", plan: ["a"], speak: "x" } }, { thought: "hm", plan: ["a"], speak: "x" }],
  ])("shows thoughts: %j", (additional, payload) => {
    expect(eventsOf(additional)).toEqual([{ type: "reasoning", payload }]);
  });

  it("stays in the step when it has another shape", () => {
    expect(eventsOf({ tool_calls: [7, {}, null], llm_calls: 3, thoughts: [], last_action: "" })).toEqual([]);
  });
});

describe("an error of an Agent Protocol step", () => {
  it.each([
    ["as text", { additional_output: { error: "boom" } }, { code: "AGENT_FAILED", message: "boom" }],
    [
      "as an object",
      { additional_output: { error: { message: "boom", code: "LLM_ERROR" } } },
      { code: "LLM_ERROR", message: "boom" },
    ],
    [
      "as a status, with what is known about it",
      { status: "failed", output: "it broke" },
      { code: "AGENT_FAILED", message: "it broke" },
    ],
    ["as a status alone", { status: "failed", output: null }, { message: "the step failed" }],
  ])("of the last step is the run's: %s", (_what, fields, failure) => {
    expect(decode({ is_last: true, ...fields })).toMatchObject({ ends: true, failure });
  });

  it("is an event when the step is not the last, and the task goes on", () => {
    const { ends, events } = decode({ additional_output: { error: "retrying" } });
    expect(ends).toBe(false);
    expect(events[0]).toMatchObject({ type: "error", payload: { message: "retrying", recoverable: true } });
  });

  it("ends the task when the status is failed, last step or not", () => {
    expect(decode({ status: "failed" }).ends).toBe(true);
  });

  it.each([null, "", " ", false, {}, [], 0])("is not found in %j", (error) => {
    expect(decode({ is_last: true, additional_output: { error } }).failure).toBeUndefined();
  });
});

describe("the cost of an Agent Protocol task", () => {
  it("is counted while it runs, from totals that grow", () => {
    const usage = createUsage();
    const costs = [0.1, 0.1, 0.3, 0.2].map((task_cumulative_cost) =>
      decode({ additional_output: { task_cumulative_cost } }, 1, usage)
        .events.filter(({ type }) => type === "llm_request")
        .map(({ payload }) => (payload as { cost_usd: number }).cost_usd),
    );
    expect(costs.map((cost) => cost.map((usd) => usd.toFixed(2)))).toEqual([["0.10"], [], ["0.20"], []]);
    expect(usage.metrics()).toEqual({ cost_usd: 0.3 });
  });

  it("adds up the dollars and tokens of each step", () => {
    const additional = { cost_usd: 0.5, usage: { prompt_tokens: 3, completion_tokens: 4 }, model: "m" };
    expect(eventsOf(additional)).toEqual([
      { type: "llm_request", payload: { model: "m", input_tokens: 3, output_tokens: 4, cost_usd: 0.5 } },
    ]);
  });

  it("is a total where input and output tokens are not separate", () => {
    const usage = createUsage();
    decode({ additional_output: { tokens: 7894, estimated_cost: "0,24$" } }, 1, usage);
    decode({ additional_output: { input_tokens: 6 } }, 2, usage);
    expect(usage.metrics()).toEqual({ total_tokens: 7900 });
  });

  it("is not counted twice where requests are reported one by one", () => {
    const additional = { task_total_cost: 1, llm_requests: [{ cost_usd: 1 }] };
    expect(eventsOf(additional)).toHaveLength(1);
  });
});

describe("whatever an Agent Protocol server sends", () => {
  const json = fc.jsonValue({ maxDepth: 4 });

  it("is read without an exception, with a reason where it is not a step", () => {
    fc.assert(
      fc.property(json, json, json, (value, additional_output, status) => {
        for (const wire of [
          value,
          { step_id: "s", additional_output, status, output: value, artifacts: value },
        ]) {
          const { value: found, violations } = readStep(wire);
          if (found) decodeStep(found, 1, createUsage());
          else expect(violations.length).toBeGreaterThan(0);
        }
        readTaskId(value);
        readArtifact(value, "artifacts.0");
        readArtifactPage({ artifacts: value, pagination: additional_output });
      }),
    );
  });

  it("names artifacts by relative paths that stay inside", () => {
    const part = fc.oneof(fc.string(), fc.constantFrom("..", ".", "/", "\\", "a", "C:", "\0"));
    const name = fc.array(part, { maxLength: 5 }).map((parts) => parts.join("/"));
    fc.assert(
      fc.property(name, fc.option(name), (file, directory) => {
        const { path } = artifactPath(file, directory);
        expect(path).toMatch(/^(?![A-Za-z]:)[^/\\\p{Cc}][^\\\p{Cc}]*$/u);
        expect(path.split("/")).not.toContain("..");
      }),
      {
        numRuns: propertyRuns(1000),
        examples: [
          ["./C:", null],
          ["x", "./C:/y"],
        ],
      },
    );
  });
});
