// The plan as a picture and as a tree.
import { describe, expect, it } from "vitest";
import type { Plan, Subtask } from "../../api/gen/schema.ts";
import { planNodes, treeRows } from "./plan-shape.ts";

const subtask = (key: string, more: Partial<Subtask> = {}): Subtask => ({
  key,
  task: key.replace(/\[\d+\]$/, ""),
  title: null,
  parent_id: null,
  depends_on: [],
  status: "waiting",
  attempts: [],
  reason: null,
  output_run_id: null,
  ...more,
});

const edges = (subtasks: Subtask[], plan: Plan | null = null): string[] =>
  planNodes(subtasks, plan).flatMap(({ key, needs }) => needs.map((need) => `${need} → ${key}`));

describe("The picture of a plan", () => {
  it("takes a reference to an output for a dependency, and an escaped one for text", () => {
    const plan = {
      tasks: [
        { id: "a", agent: "x" },
        { id: "b", agent: "x", input: { facts: "${tasks.a.output.x}" } },
        { id: "c", agent: "x", description: "Write $${tasks.a.output}" },
      ],
    };
    expect(edges([subtask("a"), subtask("b"), subtask("c")], plan)).toEqual(["a → b"]);
  });

  it("leads to what is in a group, and from it to what waits for the group", () => {
    const subtasks = [
      subtask("first"),
      subtask("group", { depends_on: ["first"] }),
      subtask("inner", { parent_id: "group" }),
      subtask("last", { depends_on: ["group"] }),
    ];
    expect(edges(subtasks)).toEqual(["first → inner", "inner → last"]);
  });

  it("shows a few items of a list one by one, and many as one node", () => {
    const list = (count: number): Subtask[] => [
      subtask("each"),
      ...Array.from({ length: count }, (_, index) => subtask(`each[${index}]`)),
    ];
    expect(planNodes(list(2), null).map(({ key }) => key)).toEqual(["each[0]", "each[1]"]);
    expect(planNodes(list(9), null).map(({ key, items }) => [key, items])).toEqual([["each", 9]]);
  });

  it("says who did it last, or else who the plan wants", () => {
    const attempt = { number: 1, run_id: "r", agent: "ada", status: null, reviews: [] };
    const plan = {
      tasks: [
        { id: "a", capability: "add" },
        { id: "b", capability: "add" },
      ],
    };
    const nodes = planNodes([subtask("a", { attempts: [attempt] }), subtask("b")], plan);
    expect(nodes.map(({ doer }) => doer)).toEqual(["ada", "add"]);
  });
});

describe("The tree of a plan", () => {
  it("has groups before what is in them, and lists before their items", () => {
    const subtasks = [
      subtask("group"),
      subtask("each", { parent_id: "group" }),
      subtask("each[0]"),
      subtask("last"),
    ];
    expect(treeRows(subtasks, null).map(({ subtask: { key }, depth }) => `${depth} ${key}`)).toEqual([
      "0 group",
      "1 each",
      "2 each[0]",
      "0 last",
    ]);
  });
});
