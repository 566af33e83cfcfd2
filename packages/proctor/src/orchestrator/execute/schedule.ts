// Which tasks of a plan may begin. Knows nothing of agents: a node is ready when everything that it waits for has settled well.
import type { PlanGraph } from "../plan/graph.ts";

/** How a node ended, for those that wait for it. `skipped`: its condition did not hold, which holds up no other node. */
export type NodeEnd = "completed" | "skipped" | "failed";

export interface Schedule {
  /** Returns the ids of the nodes that may begin now, each once, in the order of the plan. */
  ready(): string[];
  /** Returns the ids of the nodes that can no longer begin because something that they wait for failed. */
  settle(id: string, end: NodeEnd): string[];
  /** Number of nodes that have not settled. */
  readonly left: number;
}

export function createSchedule(graph: PlanGraph): Schedule {
  const waits = new Map<string, number>();
  const settled = new Set<string>();
  let next: string[] = [];

  for (const [id, { dependencies }] of graph.nodes) {
    waits.set(id, dependencies);
    if (dependencies === 0) next.push(id);
  }

  /** Takes the nodes that are ready. Joints, which have no work, settle with what they wait for. */
  function takeReady(): string[] {
    const ready: string[] = [];
    for (let turn = next; turn.length > 0; turn = next) {
      next = [];
      for (const id of turn) {
        if (settled.has(id)) continue;
        if (graph.nodes.get(id)?.task === undefined) release(id);
        else ready.push(id);
      }
    }
    return ready;
  }

  function release(id: string): void {
    settled.add(id);
    for (const dependent of graph.nodes.get(id)?.dependents ?? []) {
      const left = (waits.get(dependent) ?? 1) - 1;
      waits.set(dependent, left);
      if (left === 0) next.push(dependent);
    }
  }

  /** Gives up everything that waits for the node, directly or not, and returns the ids. */
  function giveUp(id: string): string[] {
    const lost: string[] = [];
    const stack = [id];
    settled.add(id);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      for (const dependent of graph.nodes.get(at)?.dependents ?? []) {
        if (settled.has(dependent)) continue;
        settled.add(dependent);
        stack.push(dependent);
        if (graph.nodes.get(dependent)?.task !== undefined) lost.push(dependent);
      }
    }
    return lost;
  }

  return {
    ready: takeReady,
    settle(id, end) {
      if (settled.has(id)) return [];
      if (end === "failed") return giveUp(id);
      release(id);
      return [];
    },
    get left() {
      return graph.nodes.size - settled.size;
    },
  };
}
