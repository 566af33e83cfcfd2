import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import type { PlanTask } from "../../core/plan.ts";
import { checkPlan } from "./check-plan.ts";
import { buildGraph, type PlanGraph } from "./graph.ts";
import { randomTasks } from "../../../test/support/random-tasks.ts";

const task = (id: string, more: Partial<PlanTask> = {}): PlanTask => ({ id, capability: "work", ...more });
const group = (id: string, more: Partial<PlanTask> = {}): PlanTask => ({ id, ...more });

/** The tasks that must be done before this one, found without joints. */
function before(graph: PlanGraph, id: string): string[] {
  const found = new Set<string>();
  for (const [other, { task: work }] of graph.nodes) {
    if (work === undefined) continue;
    const waiting = [...(graph.nodes.get(other)?.dependents ?? [])];
    const seen = new Set<string>();
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (at === id) found.add(other);
      if (seen.has(at) || graph.nodes.get(at)?.task !== undefined) continue;
      seen.add(at);
      waiting.push(...(graph.nodes.get(at)?.dependents ?? []));
    }
  }
  return [...found];
}

describe("The graph of a plan", () => {
  it("has the tasks by id, what each waits for, who waits for it, the first and the last", () => {
    const graph = buildGraph({
      tasks: [task("c", { dependsOn: ["a", "b"] }), task("a"), task("b"), task("d")],
    });
    expect([...graph.tasks.keys()]).toEqual(["c", "a", "b", "d"]);
    expect(graph.nodes.get("c")).toMatchObject({ dependencies: 2, dependents: [] });
    expect(graph.nodes.get("a")).toMatchObject({ dependencies: 0, dependents: ["c"] });
    expect(graph.roots).toEqual(["a", "b", "d"]);
    expect(graph.leaves).toEqual(["c", "d"]);
  });

  it.each<[string, Partial<PlanTask>]>([
    ["input", { input: { deep: ["so ${tasks.a.output.x}"] } }],
    ["when", { when: { value: 1, equals: "${tasks.a.output}" } }],
    ["a short when", { when: "${tasks.a.output}" }],
    ["foreach", { foreach: "${tasks.a.output}" }],
    ["description", { description: "Use ${tasks.a.output}." }],
    ["title", { title: "${tasks.a.output}" }],
  ])("counts a reference in %s as a dependency", (_name, fields) => {
    const graph = buildGraph({ tasks: [task("a"), task("b", fields)] });
    expect(before(graph, "b")).toEqual(["a"]);
    expect(graph.leaves).toEqual(["b"]);
  });

  it("counts a dependency once that is named and referred to", () => {
    const input = ["${tasks.a.output}", "${tasks.a.output.x}"];
    const graph = buildGraph({ tasks: [task("a"), task("b", { dependsOn: ["a", "a"], input })] });
    expect(graph.nodes.get("b")?.dependencies).toBe(1);
  });

  it("leaves out what is looked at only after the task: how to undo it", () => {
    const compensate = { capability: "undo", input: "${tasks.b.output} ${tasks.a.output}" };
    const graph = buildGraph({ tasks: [task("a"), task("b", { compensate })] });
    expect(graph.roots).toEqual(["a", "b"]);
  });

  it("has a dependency on a group stand for all its members, nested ones too", () => {
    const graph = buildGraph({
      tasks: [
        group("g"),
        group("inner", { parentId: "g" }),
        task("a", { parentId: "g" }),
        task("b", { parentId: "inner" }),
        task("c", { dependsOn: ["g"] }),
      ],
    });
    expect(before(graph, "c")).toEqual(["a", "b"]);
    expect(graph.roots).toEqual(["a", "b"]);
    expect(graph.leaves).toEqual(["c"]);
  });

  it("has the dependencies of a group hold for its members, nested ones too", () => {
    const graph = buildGraph({
      tasks: [
        task("x"),
        task("y"),
        group("g", { dependsOn: ["x"] }),
        group("inner", { parentId: "g", dependsOn: ["y"] }),
        task("a", { parentId: "g" }),
        task("b", { parentId: "inner" }),
      ],
    });
    expect(before(graph, "a")).toEqual(["x"]);
    expect(before(graph, "b")).toEqual(["x", "y"]);
    expect(graph.leaves).toEqual(["a", "b"]);
  });

  it("does not multiply the members of two groups by each other", () => {
    const half = 9_999;
    const members = (parentId: string) =>
      Array.from({ length: half }, (_, index) => task(`${parentId}${index}`, { parentId }));
    const { nodes, roots, leaves } = buildGraph({
      tasks: [group("g"), group("h", { dependsOn: ["g"] }), ...members("g"), ...members("h")],
    });
    const edges = [...nodes.values()].reduce((sum, { dependents }) => sum + dependents.length, 0);
    expect(edges).toBe(4 * half + 3);
    expect([roots.length, leaves.length]).toEqual([half, half]);
  });

  it("is built of a chain of 20,000 tasks, and of 100,000 edges", () => {
    const chain = Array.from({ length: 20_000 }, (_, index) =>
      task(`t${index}`, index === 0 ? {} : { dependsOn: [`t${index - 1}`] }),
    );
    const wide = Array.from({ length: 20_000 }, (_, index) =>
      task(`t${index}`, {
        dependsOn: [1, 2, 3, 4, 5].flatMap((back) => (index < back ? [] : [`t${index - back}`])),
      }),
    );
    for (const tasks of [chain, wide]) {
      const { order, roots, leaves } = buildGraph({ tasks });
      expect(order).toHaveLength(20_000);
      expect([roots, leaves]).toEqual([["t0"], ["t19999"]]);
      expect(checkPlan({ tasks })).toEqual([]);
    }
  });

  it("has each task after everything it waits for, and nothing wrong, whatever the plan", () => {
    fc.assert(
      fc.property(randomTasks, (tasks) => {
        expect(checkPlan({ tasks })).toEqual([]);
        const { order, nodes, roots, leaves } = buildGraph({ tasks });
        const places = new Map(order.map((id, index) => [id, index]));
        expect(order).toHaveLength(nodes.size);
        const waits = new Map<string, number>();
        for (const [id, { dependents }] of nodes) {
          for (const dependent of dependents) {
            waits.set(dependent, (waits.get(dependent) ?? 0) + 1);
            expect(places.get(dependent)).toBeGreaterThan(places.get(id) ?? Infinity);
          }
        }
        for (const [id, { dependencies }] of nodes) expect(dependencies).toBe(waits.get(id) ?? 0);
        expect(roots.length).toBeGreaterThan(0);
        expect(leaves.length).toBeGreaterThan(0);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
