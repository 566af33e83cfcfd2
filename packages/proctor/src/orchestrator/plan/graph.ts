// A plan as a graph of what waits for what. A group is two joints, one that its members wait for and one that waits for its members, so
// that a group that depends on a group is one edge and not as many as their members multiplied.
import { isGroup, type Plan, type PlanTask } from "../../core/plan.ts";
import { taskReferences } from "./task-references.ts";

export interface GraphNode {
  /** The task of the node; undefined for a joint, which has no work and is done with what it waits for. */
  task?: PlanTask;
  /** Number of nodes that this one waits for. */
  dependencies: number;
  /** Ids of the nodes that wait for this one. */
  dependents: string[];
}

export interface PlanGraph {
  /** Tasks and groups by their ids. */
  tasks: ReadonlyMap<string, PlanTask>;
  /** Nodes in the order of the plan. A task and the end of a group are under their id, the begin of a group under `beginOf`. */
  nodes: ReadonlyMap<string, GraphNode>;
  /** Ids of the nodes, each after those it waits for. Those in cycles, and those that wait for them, are left out. */
  order: readonly string[];
  /** Ids of the tasks that wait for no other. */
  roots: readonly string[];
  /** Ids of the tasks that no other task waits for, in the order of the plan. */
  leaves: readonly string[];
}

/** Returns the id of the joint that the members of a group wait for. No task can have this id. */
export function beginOf(group: string): string {
  return `begin:${group}`;
}

/** Builds the graph without what checkPlan reports: unknown tasks, and all but the first of those with the same id. */
export function buildGraph({ tasks: list }: Plan): PlanGraph {
  const tasks = new Map<string, PlanTask>();
  for (const task of list) if (!tasks.has(task.id)) tasks.set(task.id, task);
  const nodes = new Map<string, GraphNode>();
  for (const [id, task] of tasks) {
    if (isGroup(task)) nodes.set(beginOf(id), { dependencies: 0, dependents: [] });
    nodes.set(id, { ...(!isGroup(task) && { task }), dependencies: 0, dependents: [] });
  }
  const connect = (from: string, to: string): void => {
    const [before, after] = [nodes.get(from), nodes.get(to)];
    if (before === undefined || after === undefined) return;
    before.dependents.push(to);
    after.dependencies++;
  };
  for (const [id, task] of tasks) {
    const entry = isGroup(task) ? beginOf(id) : id;
    for (const other of waitsFor(task)) connect(other, entry);
    if (isGroup(task)) connect(entry, id);
    const parent = task.parentId === undefined ? undefined : tasks.get(task.parentId);
    if (parent === undefined || !isGroup(parent)) continue;
    connect(beginOf(parent.id), entry);
    connect(id, parent.id);
  }
  const order = topologicalOrder(nodes);
  return { tasks, nodes, order, roots: rootsOf(nodes, order), leaves: leavesOf(nodes, order) };
}

/** Returns the ids that the task itself names, each once; what its groups wait for comes with the groups. */
function waitsFor(task: PlanTask): Set<string> {
  const others = new Set(task.dependsOn);
  for (const reference of taskReferences(task)) if (reference.kind === "task") others.add(reference.task);
  return others;
}

function topologicalOrder(nodes: ReadonlyMap<string, GraphNode>): string[] {
  const waits = new Map([...nodes].map(([id, { dependencies }]) => [id, dependencies]));
  const order = [...nodes.keys()].filter((id) => waits.get(id) === 0);
  // The list grows while it is walked.
  for (const id of order) {
    for (const dependent of nodes.get(id)?.dependents ?? []) {
      const left = (waits.get(dependent) ?? 0) - 1;
      waits.set(dependent, left);
      if (left === 0) order.push(dependent);
    }
  }
  return order;
}

function rootsOf(nodes: ReadonlyMap<string, GraphNode>, order: readonly string[]): string[] {
  /** Nodes that wait for some task, directly or through joints. */
  const waiting = new Set<string>();
  for (const id of order) {
    const node = nodes.get(id);
    if (node?.task === undefined && !waiting.has(id)) continue;
    for (const dependent of node?.dependents ?? []) waiting.add(dependent);
  }
  return order.filter((id) => nodes.get(id)?.task !== undefined && !waiting.has(id));
}

function leavesOf(nodes: ReadonlyMap<string, GraphNode>, order: readonly string[]): string[] {
  /** Nodes that some task waits for, directly or through joints. */
  const awaited = new Set<string>();
  for (const id of order.toReversed()) {
    const dependents = nodes.get(id)?.dependents ?? [];
    if (dependents.some((other) => nodes.get(other)?.task !== undefined || awaited.has(other)))
      awaited.add(id);
  }
  const reached = new Set(order);
  return [...nodes].flatMap(([id, { task }]) =>
    task !== undefined && reached.has(id) && !awaited.has(id) ? [id] : [],
  );
}
