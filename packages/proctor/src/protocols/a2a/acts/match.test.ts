// Assertions of ACTS: each operator holds for what it says and for nothing else.
import { describe, expect, it } from "vitest";
import type { Json } from "../../../core/json.ts";
import { match } from "./match.ts";
import { soonTooSlow } from "../../../../test/support/soon-too-slow.ts";

const OPERATORS: [assertion: Json, holds: Json | undefined, not: Json | undefined][] = [
  [{ type: "string" }, "a", 1],
  [{ type: "number" }, 1.5, "1"],
  [{ type: "boolean" }, false, null],
  [{ type: "array" }, [], {}],
  [{ type: "object" }, {}, []],
  [{ type: "null" }, null, undefined],
  [{ exists: true }, null, undefined],
  [{ absent: true }, undefined, null],
  [{ contains: "b" }, "abc", "ac"],
  [{ matches: "^\\d{2}$" }, "12", "123"],
  [{ starts_with: "1." }, "1.0", "0.1."],
  [{ ends_with: "Z" }, "12Z", "Z1"],
  [{ gt: 1 }, 2, 1],
  [{ gte: 1 }, 1, 0.5],
  [{ lt: 1 }, 0, 1],
  [{ lte: 1 }, 1, 2],
  [{ count: 1 }, [0], []],
  [{ count_gte: 1 }, [0, 1], []],
  [{ count_lte: 1 }, [], [0, 1]],
  [{ one_of: ["a", "b"] }, "b", "c"],
  [{ one_of: [{ x: 1 }, { y: { exists: true } }] }, { y: 2 }, { x: 2 }],
  [{ any_of: [{ absent: true }, { count: 0 }] }, undefined, [1]],
  [{ all_of: [{ type: "string" }, { contains: "a" }] }, "cat", "dog"],
  [{ not: { contains: "a" } }, "dog", "cat"],
  [{ items: { id: { type: "string" } } }, [{ id: "a" }, { id: "b" }], [{ id: "a" }, {}]],
  [{ items: [{ id: "a" }] }, [{ id: "a" }, { id: "b" }], [{ id: "b" }]],
  [{ type: "array", count_gte: 2 }, [1, 2], [1]],
];

describe("An assertion of ACTS", () => {
  it.each(OPERATORS)("%j holds for one value and not for the other", (assertion, holds, not) => {
    expect(match(assertion, holds)).toBeUndefined();
    expect(match(assertion, not)).toBeDefined();
  });

  it.each<[Json, Json]>([
    ["a", "b"],
    [1, "1"],
    [true, false],
    [null, 0],
    [["a"], "a"],
    [["a", "b"], ["a"]],
    [{ a: 1 }, []],
  ])("of the bare value %j means equal, and %j is not", (assertion, other) => {
    expect(match(assertion, assertion)).toBeUndefined();
    expect(match(assertion, other)).toBeDefined();
  });

  it("takes a key for a field where the argument does not fit the operator", () => {
    const problem = { type: "about:blank", count: "many", matches: 3, items: "none" };
    expect(
      match({ type: { type: "string" }, count: "many", matches: 3, items: "none" }, problem),
    ).toBeUndefined();
    expect(match({ type: "about:blank" }, { type: "other" })).toMatchObject({ path: "type" });
  });

  it("compares lists in order, and lets more follow", () => {
    expect(match([{ a: 1 }], [{ a: 1, b: 2 }, "more"])).toBeUndefined();
    expect(match({ a: [1, 2] }, { a: [1, 3] })).toMatchObject({ path: "a[1]", expected: "2", actual: "3" });
  });

  it("says where the value is, what was asserted and what stood there", () => {
    const answer = { task: { status: { state: "TASK_STATE_WORKING" } } };
    expect(match({ task: { status: { state: "TASK_STATE_COMPLETED" } } }, answer)).toEqual({
      path: "task.status.state",
      message: 'task.status.state is "TASK_STATE_WORKING", and not "TASK_STATE_COMPLETED"',
      expected: '"TASK_STATE_COMPLETED"',
      actual: '"TASK_STATE_WORKING"',
    });
    expect(match({ task: { id: { absent: true } } }, {})).toMatchObject({ path: "task", actual: "missing" });
  });

  it("never holds for the elements of an empty list", () => {
    expect(match({ items: { id: { exists: true } } }, [])).toMatchObject({
      expected: "a list with elements",
    });
  });

  it("never finds fields in the prototype of an object", () => {
    expect(match({ constructor: { exists: true } }, {})).toBeDefined();
  });

  it("gives up on a pattern that takes for ever", async () => {
    const value = `${"a".repeat(40)}!`;
    await expect(soonTooSlow(() => match({ matches: "^(a+)+$" }, value))).rejects.toThrow("too slow");
  });
});
