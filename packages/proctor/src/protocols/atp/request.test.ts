import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../core/json.ts";
import { mutatedMessages, validMessages } from "../../../test/support/atp/messages.ts";
import { decodeRequest } from "./request.ts";
import { atpRequest } from "./wire.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";

const TASK = "550e8400-e29b-41d4-a716-446655440000";
const base = { version: "1.0", task_id: TASK, task: { description: "do it" } };

describe("requests as clients send them", () => {
  it("become what the hub is asked, with unknown fields kept where they were", () => {
    const decoded = decodeRequest({
      ...base,
      version: "1.4",
      task: { description: "do it", input_data: { a: [1, null] }, language: "de" },
      constraints: { max_steps: 3, hurry: true },
      context: { environment: { KEY: "v" }, region: "eu" },
      metadata: { team: "x" },
      priority: 1,
    });
    expect(decoded).toEqual({
      ok: true,
      taskId: TASK,
      version: "1.4",
      request: {
        task: { description: "do it", input_data: { a: [1, null] }, language: "de" },
        constraints: { max_steps: 3, hurry: true },
        context: { environment: { KEY: "v" }, region: "eu" },
        metadata: { team: "x" },
      },
      extensions: { priority: 1 },
      violations: [],
    });
  });

  it("name their conversation in the metadata, which keeps what it holds", () => {
    const conversationOf = (metadata: Json): unknown => {
      const decoded = decodeRequest({ ...base, metadata });
      expect(decoded).toMatchObject({ ok: true, request: { metadata }, violations: [] });
      return decoded.ok ? decoded.request.conversation_id : "refused";
    };
    expect(conversationOf({ conversation_id: "c-1", team: "x" })).toBe("c-1");
    expect(conversationOf({ conversation_id: "x".repeat(400) })).toBe("x".repeat(400));
    for (const other of ["", "x".repeat(401), 5, null, ["c-1"], { id: "c-1" }]) {
      expect(conversationOf({ conversation_id: other })).toBeUndefined();
    }
  });

  it("need not say more than the task", () => {
    expect(decodeRequest(base)).toMatchObject({ ok: true, request: { task: { description: "do it" } } });
    const { request } = decodeRequest(base) as { request: object };
    expect(Object.keys(request)).toEqual(["task"]);
  });

  it("may name expected artifacts by name, and say null for what they leave out", () => {
    const decoded = decodeRequest({
      ...base,
      task_id: "smoke_1",
      task: {
        description: "x",
        input_data: null,
        expected_artifacts: ["a.md", { name: "b", type: null, spice: null }],
        note: null,
      },
      constraints: { max_steps: null, allowed_tools: null, later: null },
      context: null,
    });
    expect(decoded).toMatchObject({ ok: true, taskId: "smoke_1" });
    expect(decoded.ok && decoded.request).toEqual({
      task: {
        description: "x",
        expected_artifacts: [{ name: "a.md" }, { name: "b", spice: null }],
        note: null,
      },
      constraints: { allowed_tools: null, later: null },
    });
    expect(decoded.ok && decoded.violations.map(({ rule }) => rule)).toEqual(Array(7).fill("atp.request"));
  });

  it("may describe the task in 100,000 characters, ten times the document's limit", () => {
    const ask = (length: number) => decodeRequest({ ...base, task: { description: "🙂".repeat(length) } });
    expect(ask(10_000)).toMatchObject({ ok: true, violations: [] });
    expect(ask(10_001)).toMatchObject({ ok: true, violations: [{ where: "request.task.description" }] });
    expect(ask(100_000).ok).toBe(true);
    expect(ask(100_001)).toMatchObject({ ok: false, problems: [{ path: "task.description" }] });
  });

  it.each(["2.0", "0.9", "one", "", "10.0", "1.x"])("of version %j are refused at version", (version) => {
    expect(decodeRequest({ ...base, version })).toMatchObject({
      ok: false,
      taskId: TASK,
      problems: [{ path: "version", message: expect.stringMatching(/unsupported version/) as string }],
    });
  });

  it("are refused with every place that is wrong, and the id they came with", () => {
    const wrong = { version: "1.0", task_id: "a b", task: {}, constraints: { max_steps: 0 } };
    const decoded = decodeRequest(wrong);
    expect(decoded).toMatchObject({ ok: false, taskId: "a b" });
    expect(!decoded.ok && decoded.problems.map(({ path }) => path)).toEqual([
      "task_id",
      "task.description",
      "constraints.max_steps",
    ]);
    expect(decodeRequest({ ...wrong, task_id: "x".repeat(10_000) })).not.toHaveProperty("taskId");
  });

  it.each([[null], [[]], ["text"], [7]])("that are no object (%j) are refused", (message) => {
    expect(decodeRequest(message)).toMatchObject({ ok: false, problems: [{ path: "" }] });
  });

  it("are refused when they are nested too deeply", () => {
    let deep: Json = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const decoded = decodeRequest({ ...base, metadata: { deep } });
    expect(decoded).toEqual({
      ok: false,
      taskId: TASK,
      problems: [{ path: "", message: "nested deeper than 200" }],
    });
  });

  it("that are strict have no violations, and others have some", () => {
    fc.assert(
      fc.property(fc.oneof(validMessages.request, mutatedMessages("request")), (message) => {
        const decoded = decodeRequest(message);
        const strict = atpRequest.safeParse(message).success;
        if (decoded.ok) expect(decoded.violations.length === 0).toBe(strict);
        // The only strict request that is refused is one of another major.
        else if (strict) expect(decoded.problems).toMatchObject([{ path: "version" }]);
      }),
      { numRuns: propertyRuns(1000), seed: 4 },
    );
  });
});
