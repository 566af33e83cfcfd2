// The plan as a picture: who waits for whom, and how far each is. Dragged and zoomed with the mouse, the finger or the keys; every node can be
// reached with Tab and the arrows.
import { useEffect, useRef, useState } from "preact/hooks";
import { Loading } from "../../components/notice.tsx";
import { texts } from "../../texts.ts";
import { layoutPlan, NODE_HEIGHT, NODE_WIDTH, type Layout, type Placed } from "./plan-layout.ts";
import type { PlanNode } from "./plan-shape.ts";
import { SUBTASK_LOOKS } from "./subtask-mark.tsx";
import { usePanZoom } from "./use-pan-zoom.ts";

interface PlanGraphProps {
  nodes: readonly PlanNode[];
  selected: string;
  onSelect: (key: string) => void;
}

export function PlanGraph({ nodes, selected, onSelect }: PlanGraphProps) {
  const [layout, setLayout] = useState<Layout | undefined>(undefined);
  // A change of status moves nothing.
  const shape = JSON.stringify(nodes.map(({ key, needs }) => [key, needs]));
  useEffect(() => {
    let isOver = false;
    void layoutPlan(nodes).then((next) => isOver || setLayout(next));
    return () => void (isOver = true);
  }, [shape]);
  if (layout === undefined) return <Loading />;
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  return <Picture layout={layout} byKey={byKey} selected={selected} onSelect={onSelect} />;
}

interface PictureProps {
  layout: Layout;
  byKey: ReadonlyMap<string, PlanNode>;
  selected: string;
  onSelect: (key: string) => void;
}

function Picture({ layout, byKey, selected, onSelect }: PictureProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = usePanZoom(box, layout);
  const focus = (key: string): void =>
    box.current?.querySelector<SVGGElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  return (
    <div class="plan-graph" ref={box} style={{ height: `${pictureHeight(layout)}px` }}>
      <svg role="group" aria-label={texts.goals.graph} {...view.handlers}>
        <defs>
          <marker
            id="plan-arrow"
            viewBox="0 0 8 8"
            refX="2"
            refY="4"
            markerWidth="6"
            markerHeight="6"
            orient="auto"
          >
            <path class="plan-arrow" d="M0 0 8 4 0 8Z" />
          </marker>
        </defs>
        <g transform={`translate(${view.x} ${view.y}) scale(${view.scale})`}>
          {layout.edges.map(({ id, path }) => (
            <path key={id} class="plan-edge" d={path} marker-end="url(#plan-arrow)" />
          ))}
          {layout.nodes.map((placed) => (
            <Node
              key={placed.node.key}
              placed={placed}
              node={byKey.get(placed.node.key) ?? placed.node}
              selected={placed.node.key === selected}
              onSelect={() => onSelect(placed.node.key)}
              onMove={(direction) => {
                const next = neighbour(layout.nodes, placed, direction);
                if (next === undefined) return;
                view.reveal(next.x, next.y, NODE_WIDTH, NODE_HEIGHT);
                focus(next.node.key);
              }}
            />
          ))}
        </g>
      </svg>
      <div class="plan-zoom">
        <button type="button" class="button" aria-label={texts.goals.zoomIn} onClick={() => view.zoom(1.25)}>
          +
        </button>
        <button type="button" class="button" aria-label={texts.goals.zoomOut} onClick={() => view.zoom(0.8)}>
          −
        </button>
        <button type="button" class="button" onClick={view.fit}>
          {texts.goals.fit}
        </button>
      </div>
    </div>
  );
}

interface NodeProps {
  placed: Placed;
  node: PlanNode;
  selected: boolean;
  onSelect: () => void;
  onMove: (direction: string) => void;
}

function Node({ placed: { x, y }, node, selected, onSelect, onMove }: NodeProps) {
  const { tone } = SUBTASK_LOOKS[node.status];
  const line = [
    texts.goals.status[node.status],
    ...(node.items > 0 ? [texts.goals.items(node.items)] : []),
    ...(node.attempts > 1 ? [texts.goals.attempts(node.attempts)] : []),
    node.doer,
  ]
    .filter(Boolean)
    .join(" · ");
  return (
    <g
      class={`plan-node ${tone}`}
      transform={`translate(${x} ${y})`}
      // In lower case, as SVG spells it: there the names of attributes are case-sensitive.
      tabindex={0}
      role="button"
      aria-pressed={selected}
      aria-label={`${node.title} ${line}`}
      data-key={node.key}
      onClick={onSelect}
      onKeyDown={(event) => {
        if (event.key === "Enter" || event.key === " ") onSelect();
        else if (event.key.startsWith("Arrow")) onMove(event.key);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <rect class="plan-box" width={NODE_WIDTH} height={NODE_HEIGHT} rx="8" />
      <rect class="plan-tone" x="0" y="0" width="5" height={NODE_HEIGHT} rx="2.5" />
      {/* Cuts what is too long for the box; readers still get all of it. */}
      <svg x="16" width={NODE_WIDTH - 24} height={NODE_HEIGHT}>
        <text class="plan-title" x="0" y="21">
          {node.title}
        </text>{" "}
        <text class="plan-line" x="0" y="39">
          {line}
        </text>
      </svg>
    </g>
  );
}

/** Returns the height in pixels that the plan needs, within what a page has room for. */
function pictureHeight({ height }: Layout): number {
  return Math.min(460, Math.max(200, height + 56));
}

/** Returns the nearest node in this direction; one straight ahead wins over one to the side. */
function neighbour(nodes: readonly Placed[], from: Placed, direction: string): Placed | undefined {
  const ahead = (to: Placed): { along: number; aside: number } => {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    switch (direction) {
      case "ArrowRight":
        return { along: dx, aside: Math.abs(dy) };
      case "ArrowLeft":
        return { along: -dx, aside: Math.abs(dy) };
      case "ArrowDown":
        return { along: dy, aside: Math.abs(dx) };
      default:
        return { along: -dy, aside: Math.abs(dx) };
    }
  };
  return nodes
    .map((to) => ({ to, ...ahead(to) }))
    .filter(({ along }) => along > 1)
    .toSorted((a, b) => a.along + 2 * a.aside - (b.along + 2 * b.aside))[0]?.to;
}
