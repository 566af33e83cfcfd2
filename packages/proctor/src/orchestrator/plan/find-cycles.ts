// Tasks that wait for each other, named in a row: each waits for the next, and the last for the first.
import { beginOf, type PlanGraph } from "./graph.ts";

/** At most so many cycles, no two with a task in common. Takes linear time for a fixed limit. */
export function findCycles(graph: PlanGraph, limit: number): string[][] {
  const done = new Set(graph.order);
  const groupOf = beginsByNode(graph);
  const named = new Set<string>();
  const cycles: string[][] = [];
  for (const start of graph.nodes.keys()) {
    if (cycles.length >= limit) break;
    if (done.has(start)) continue;
    walk(start);
  }
  return cycles;

  /** Follows the dependents in depth, without recursion: a chain may have twenty thousand tasks. */
  function walk(start: string): void {
    const path = [{ id: start, next: 0 }];
    const places = new Map([[start, 0]]);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const dependent = graph.nodes.get(top.id)?.dependents[top.next++];
      if (dependent === undefined) {
        done.add(top.id);
        places.delete(top.id);
        path.pop();
      } else if (places.has(dependent)) {
        report(path.slice(places.get(dependent)).map(({ id }) => id));
        if (cycles.length >= limit) return;
      } else if (!done.has(dependent)) {
        places.set(dependent, path.length);
        path.push({ id: dependent, next: 0 });
      }
    }
  }

  function report(nodes: readonly string[]): void {
    const [first = "", last = ""] = [nodes[0], nodes.at(-1)];
    if (named.has(nameOf(first)) || named.has(nameOf(last))) return;
    // Dependents were followed; names go the other way.
    const names = withoutDetours(nodes.toReversed()).map(nameOf);
    for (const name of names) named.add(name);
    cycles.push(
      names.filter((name, index) => name !== names[(index + 1) % names.length] || names.length === 1),
    );
  }

  function nameOf(node: string): string {
    return groupOf.get(node) ?? node;
  }
}

/** Who waits for the end of a group waits for its begin: the member by which the cycle went from one to the other says nothing. */
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

function beginsByNode({ tasks }: PlanGraph): Map<string, string> {
  return new Map([...tasks.keys()].map((id) => [beginOf(id), id]));
}
