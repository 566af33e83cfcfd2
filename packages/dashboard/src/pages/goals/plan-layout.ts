// Where the nodes of a plan stand and how its edges run. Loads the layout library when the first plan is drawn.
import type { PlanNode } from "./plan-shape.ts";

export interface Placed {
  node: PlanNode;
  x: number;
  y: number;
}

export interface PlacedEdge {
  id: string;
  path: string;
}

export interface Layout {
  width: number;
  height: number;
  nodes: readonly Placed[];
  edges: readonly PlacedEdge[];
}

export const NODE_WIDTH = 196;
export const NODE_HEIGHT = 52;
/** Larger plans are shown as a tree: nobody reads such a picture, and drawing it takes too long. */
export const LARGEST_PICTURE = 400;
const MARGIN = 16;

export async function layoutPlan(nodes: readonly PlanNode[]): Promise<Layout> {
  const { Graph, layout } = await import("@dagrejs/dagre");
  const graph = new Graph();
  graph.setGraph({ rankdir: "LR", nodesep: 18, ranksep: 52, marginx: MARGIN, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(nodes.map(({ key }) => key));
  for (const { key } of nodes) graph.setNode(key, { width: NODE_WIDTH, height: NODE_HEIGHT });
  for (const { key, needs } of nodes) {
    for (const need of needs) if (known.has(need) && need !== key) graph.setEdge(need, key);
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    nodes: nodes.map((node) => {
      const { x = 0, y = 0 } = graph.node(node.key) as { x?: number; y?: number };
      return { node, x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 };
    }),
    edges: graph.edges().map(({ v, w }) => {
      const { points = [] } = graph.edge(v, w) as { points?: { x: number; y: number }[] };
      return { id: `${v} ${w}`, path: curve(points) };
    }),
  };
}

/** Through the points that the layout found, with soft corners. */
function curve(points: readonly { x: number; y: number }[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  const last = rest.at(-1) ?? first;
  const parts = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? last;
    return `Q ${point.x} ${point.y} ${(point.x + next.x) / 2} ${(point.y + next.y) / 2}`;
  });
  return `M ${first.x} ${first.y} ${parts.join(" ")} L ${last.x} ${last.y}`;
}
