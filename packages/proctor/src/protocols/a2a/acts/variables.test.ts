// What the small languages inside ACTS mean: variables, paths, conditions, sources of assertions, what is captured.
import { describe, expect, it } from "vitest";
import type { Json } from "../../../core/json.ts";
import { capture } from "./capture.ts";
import { checkNamed } from "./named-assertions.ts";
import { parsePath, valueAt, valuesAt } from "./path.ts";
import { holds, parseUntil } from "./until.ts";
import { parseReference, resolve, substitute, UnknownVariable, type Scope } from "./variables.ts";

let ids = 0;
const scope: Scope = {
  variables: { greeting: "hello {{name}}", name: "{{env.WHO}}", self: "{{self}}" },
  environment: { WHO: "you" },
  captured: new Map([["set-up", { taskId: "t1", count: 3 }]]),
  responses: new Map<string, Json>([["set-up", { task: { id: "t1", parts: [{ text: "a" }] } }]]),
  newId: () => `id-${++ids}`,
};

describe("A variable of ACTS", () => {
  it.each<[string, Json]>([
    ["{{greeting}}!", "hello you!"],
    ["{{ set-up.taskId }}", "t1"],
    ["{{set-up.count}}", 3],
    ["n={{set-up.count}}", "n=3"],
    ["{{set-up.response}}", { task: { id: "t1", parts: [{ text: "a" }] } }],
    ["{{set-up.response.task.parts[0].text}}", "a"],
    ["no variable: {x}", "no variable: {x}"],
  ])("as in %j has its value", (text, value) => {
    expect(substitute({ a: [text] }, scope)).toEqual({ a: [value] });
  });

  it("gives another id at each place", () => {
    const { one, two } = substitute({ one: "{{$uuid}}", two: "{{$uuid}}" }, scope) as Record<string, string>;
    expect(one).not.toBe(two);
  });

  it.each(["nobody", "env.SECRET", "set-up.other", "later.taskId", "self"])(
    "that has no value is said to have none: %s",
    (name) => {
      expect(() => resolve(name, scope)).toThrow(UnknownVariable);
    },
  );

  it.each(["", "$random", "a.b.c", "env.", "a b"])("is not what %j says", (text) => {
    expect(parseReference(text)).toBeUndefined();
  });
});

describe("A path of ACTS", () => {
  const root = {
    task: { artifacts: [{ parts: [{ text: "a" }, { text: "b" }] }, { parts: [] }] },
    "@type": "x",
  };

  it("leads to fields, elements, and with a wildcard to all elements", () => {
    expect(valueAt(root, "task.artifacts[0].parts[1].text")).toBe("b");
    expect(valuesAt(root, "task.artifacts[*].parts[*]")).toEqual([{ text: "a" }, { text: "b" }]);
    expect(valueAt(root, "@type")).toBe("x");
    expect(valueAt([root], "[0].@type")).toBe("x");
    expect(valueAt(root, "task.nothing")).toBeUndefined();
  });

  it.each(["", "a..b", "a[-1]", "a[x]", "a b"])("cannot be %j", (text) => {
    expect(() => parsePath(text)).toThrow();
  });
});

describe("A condition of ACTS", () => {
  const answer = { status: { state: "WORKING" }, count: 2 };

  it.each<[string, boolean]>([
    ["status.state == WORKING", true],
    ["status.state=='WORKING'", true],
    ["status.state != WORKING", false],
    ["status.state in [DONE, WORKING]", true],
    ['status.state in ["DONE"]', false],
    ["count == 2", true],
    ["nothing == null", true],
  ])("%s is %s", (text, met) => {
    expect(holds(parseUntil(text), answer)).toBe(met);
  });

  it.each(["status.state", "status.state > 1", "== x", "a in b", "a..b == 1"])("cannot be %j", (text) => {
    expect(() => parseUntil(text)).toThrow();
  });
});

describe("A named assertion of ACTS", () => {
  const source: Json = { tasks: [{ id: "a" }, { id: "b" }], none: [] };
  const about = (collection: "any" | "all" | "none", path: string, match: Record<string, Json>) =>
    checkNamed({ source: "x", [collection]: { path, match } }, source);

  it("is about one value, at a path", () => {
    expect(checkNamed({ source: "x", path: "tasks[0].id", match: "a" }, source)).toBeUndefined();
    expect(checkNamed({ source: "x", path: "tasks[*].id", match: { count: 2 } }, source)).toBeUndefined();
    expect(checkNamed({ source: "x", match: { tasks: { count: 1 } } }, source)).toMatchObject({
      path: "tasks",
    });
  });

  it("is about any, all or none of a collection's elements", () => {
    expect(about("any", "tasks[*]", { id: "b" })).toBeUndefined();
    expect(about("any", "tasks[*]", { id: "c" })).toBeDefined();
    expect(about("all", "tasks", { id: { type: "string" } })).toBeUndefined();
    expect(about("all", "tasks[*]", { id: "a" })).toBeDefined();
    expect(about("none", "tasks[*]", { id: "c" })).toBeUndefined();
    expect(about("none", "tasks[*]", { id: "a" })).toBeDefined();
  });

  it.each(["any", "all", "none"] as const)("about %s of nothing never passes", (collection) => {
    expect(about(collection, "none[*]", { id: "a" })).toMatchObject({
      expected: "a collection with elements",
    });
    expect(checkNamed({ source: "x", [collection]: { path: "a", match: {} } }, undefined)).toBeDefined();
  });
});

describe("What a step of ACTS captures", () => {
  it("is at its path, or missing", () => {
    expect(capture({ id: "task.id" }, { task: { id: "t" } })).toEqual({ values: { id: "t" } });
    expect(capture({ id: "task.id" }, {})).toEqual({ missing: "id: there is nothing at task.id" });
  });

  it("of a stream is in an event by its index, or in the first that has it", () => {
    const events: Json[] = [
      { id: "t", task: { id: "t" } },
      { taskId: "t", artifact: { artifactId: "a" } },
    ];
    const wanted = { a: "[0].id", b: "events[1].taskId", c: "artifact.artifactId" };
    expect(capture(wanted, events)).toEqual({ values: { a: "t", b: "t", c: "a" } });
    expect(capture({ d: "[5].id" }, events)).toHaveProperty("missing");
  });
});
