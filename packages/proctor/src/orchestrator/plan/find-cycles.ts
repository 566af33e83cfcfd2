// Tasks that wait for each other, named in a row: each waits for the next, and the last for the first.
import { beginOf, type PlanGraph } from "./graph.ts";

/** Returns one cycle, a shortest one, of each set of tasks that all wait for each other. Takes linear time. */
export function findCycles(graph: PlanGraph, limit: number): string[][] {
  const groupOf = new Map([...graph.tasks.keys()].map((id) => [beginOf(id), id]));
  const named = new Set<string>();
  const cycles: string[][] = [];
  for (const knot of knotsIn(graph)) {
    if (cycles.length >= limit) break;
    // Dependents are followed; names go the other way.
    const nodes = withoutDetours(shortestCycle(knot, graph).toReversed());
    const names = nodes.map((node) => groupOf.get(node) ?? node);
    // Groups that contain each other form two cycles, one of their begins and one of their ends.
    if (names.every((name) => named.has(name))) continue;
    for (const name of names) named.add(name);
    cycles.push(names.filter((name, index) => names.length === 1 || name !== names.at(index - 1)));
  }
  return cycles;
}

/**
 * The nodes that wait for each other, in the order of the plan: Tarjan's strongly connected components. It uses no recursion, because a
 * chain may have twenty thousand tasks.
 */
function knotsIn({ nodes, order }: PlanGraph): string[][] {
  const settled = new Set(order);
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  /** Nodes that belong to no knot yet, in the order in which they were entered. */
  const entered: string[] = [];
  const open = new Set<string>();
  const knots: string[][] = [];
  const path: { id: string; next: number }[] = [];
  for (const start of nodes.keys()) {
    if (settled.has(start) || numbers.has(start)) continue;
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const dependent = nodes.get(top.id)?.dependents[top.next++];
      if (dependent === undefined) leave(top.id);
      else if (!numbers.has(dependent)) enter(dependent);
      else if (open.has(dependent)) lower(top.id, numbers.get(dependent));
    }
  }
  const places = new Map([...nodes.keys()].map((id, index) => [id, index]));
  const placeOf = (id = ""): number => places.get(id) ?? 0;
  for (const knot of knots) knot.sort((a, b) => placeOf(a) - placeOf(b));
  return knots.sort((a, b) => placeOf(a[0]) - placeOf(b[0]));

  function enter(id: string): void {
    path.push({ id, next: 0 });
    lowest.set(id, numbers.size);
    numbers.set(id, numbers.size);
    entered.push(id);
    open.add(id);
  }

  function lower(id: string, to = Infinity): void {
    lowest.set(id, Math.min(lowest.get(id) ?? Infinity, to));
  }

  function leave(id: string): void {
    path.pop();
    const before = path.at(-1);
    if (before !== undefined) lower(before.id, lowest.get(id));
    if (lowest.get(id) !== numbers.get(id)) return;
    // Every node that was entered since, and is still open, leads back to this one.
    const knot = takeFrom(id);
    if (knot.length > 1 || nodes.get(id)?.dependents.includes(id)) knots.push(knot);
  }

  function takeFrom(id: string): string[] {
    const taken = entered.splice(entered.lastIndexOf(id));
    for (const other of taken) open.delete(other);
    return taken;
  }
}

/** Searches from the first node of the knot along the dependents until it is reached again. */
function shortestCycle(knot: readonly string[], { nodes }: PlanGraph): string[] {
  const [start = ""] = knot;
  const members = new Set(knot);
  const from = new Map<string, string>();
  const queue = [start];
  // The list grows while it is walked.
  for (const id of queue) {
    for (const dependent of nodes.get(id)?.dependents ?? []) {
      if (dependent === start) return wayTo(id, from);
      if (!members.has(dependent) || from.has(dependent)) continue;
      from.set(dependent, id);
      queue.push(dependent);
    }
  }
  return [...knot];
}

function wayTo(id: string, from: ReadonlyMap<string, string>): string[] {
  const way: string[] = [];
  for (let at: string | undefined = id; at !== undefined; at = from.get(at)) way.push(at);
  return way.toReversed();
}

/** Leaves out members between a group's begin and end: a task that waits for the end waits for the begin anyway. */
function withoutDetours(cycle: readonly string[]): string[] {
  const members = new Set(cycle);
  const first = cycle.findIndex((id) => members.has(beginOf(id)));
  if (first === -1) return [...cycle];
  const turned = [...cycle.slice(first), ...cycle.slice(0, first)];
  const places = new Map(turned.map((id, index) => [id, index]));
  const kept: string[] = [];
  for (let index = 0; index < turned.length; index++) {
    const id = turned[index] ?? "";
    kept.push(id);
    index = Math.max(index, places.get(beginOf(id)) ?? index);
  }
  return kept;
}
