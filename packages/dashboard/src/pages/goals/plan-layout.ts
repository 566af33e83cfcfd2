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
/** Nodes of the largest plan that is drawn. Larger ones are shown as a tree: the picture would be unreadable, and take too long to draw. */
export const LARGEST_PICTURE = 400;
const MARGIN = 16;
/** Room in pixels for the arrowhead. */
const ARROW = 6;

interface Point {
  x: number;
  y: number;
}

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
      const { points = [] } = graph.edge(v, w) as { points?: Point[] };
      const from = graph.node(v) as Point;
      const to = graph.node(w) as Point;
      // From the middle of one side to the middle of the other, and between them where the layout found room.
      const ends = [
        { x: from.x + NODE_WIDTH / 2, y: from.y },
        ...points.slice(1, -1),
        { x: to.x - NODE_WIDTH / 2 - ARROW, y: to.y },
      ];
      return { id: `${v} ${w}`, path: curve(ends) };
    }),
  };
}

/** Returns the path of a curve that leaves and arrives horizontally. */
function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  let before = first;
  const parts = rest.map((point) => {
    const middle = (before.x + point.x) / 2;
    const part = `C ${middle} ${before.y} ${middle} ${point.y} ${point.x} ${point.y}`;
    before = point;
    return part;
  });
  return `M ${first.x} ${first.y} ${parts.join(" ")}`;
}
