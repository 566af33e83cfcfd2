// One measure of all runs: a histogram for each agent, on one axis, and the figures as a table.
import { count } from "../../components/format.ts";
import { binsOf, quantile, scaleOf, type Scale } from "../../components/scale.ts";
import { Table } from "../../components/table.tsx";
import { texts } from "../../texts.ts";

export interface Measure {
  key: "latency" | "cost" | "tokens" | "score";
  text: (value: number) => string;
}

export interface Group {
  agent: string;
  /** Values of the runs in ascending order. */
  values: readonly number[];
}

/** Number of agents in one picture at most: more would make it say less. */
const MOST_AGENTS = 8;
const LANE = 58;
const AXIS = 40;
const SHARES = [0, 0.5, 0.95, 1];

interface HistogramProps {
  measure: Measure;
  groups: readonly Group[];
  width: number;
}

export function Histogram({ measure, groups, width }: HistogramProps) {
  const drawn = groups.slice(0, MOST_AGENTS);
  const all = drawn.flatMap(({ values }) => values).sort((a, b) => a - b);
  const scale = scaleOf(all, Math.max(3, Math.min(8, Math.floor(width / 80))));
  const height = drawn.length * LANE;
  const title = texts.plots[measure.key];
  const left = groups.length - drawn.length;
  return (
    <section class="plot-panel">
      <h2>{title}</h2>
      <svg
        class="plot"
        role="img"
        aria-label={texts.plots.label(title)}
        viewBox={`0 0 ${width} ${height + AXIS}`}
        width={width}
        height={height + AXIS}
      >
        <Axis scale={scale} measure={measure} width={width} top={height} />
        {drawn.map((group, at) => (
          <Lane
            key={group.agent}
            group={group}
            scale={scale}
            measure={measure}
            width={width}
            top={at * LANE}
          />
        ))}
      </svg>
      {left > 0 && <p class="quiet">{texts.plots.more(count(left))}</p>}
      <Figures groups={groups} measure={measure} title={title} />
    </section>
  );
}

function Axis({
  scale,
  measure,
  width,
  top,
}: {
  scale: Scale;
  measure: Measure;
  width: number;
  top: number;
}) {
  const axis = texts.plots.axes[measure.key];
  return (
    <g class="plot-axis">
      {scale.ticks.map((tick, at) => {
        const x = scale.at(tick) * width;
        const anchor = at === 0 ? "start" : at === scale.ticks.length - 1 ? "end" : "middle";
        return (
          <g key={tick}>
            <line x1={x} x2={x} y1={0} y2={top + 4} />
            <text x={x} y={top + 17} text-anchor={anchor}>
              {measure.text(tick)}
            </text>
          </g>
        );
      })}
      <text x={width / 2} y={top + 34} text-anchor="middle">
        {scale.log ? texts.plots.logarithmic(axis) : axis}
      </text>
    </g>
  );
}

interface LaneProps {
  group: Group;
  scale: Scale;
  measure: Measure;
  width: number;
  top: number;
}

function Lane({ group: { agent, values }, scale, measure, width, top }: LaneProps) {
  const bins = binsOf(values, scale, Math.max(12, Math.min(48, Math.floor(width / 14))));
  const most = Math.max(...bins.map((bin) => bin.count), 1);
  const step = width / bins.length;
  const base = top + LANE - 4;
  const [, p50 = 0, p95 = 0] = SHARES.map((share) => quantile(values, share));
  return (
    <g>
      <text class="plot-lane" x={0} y={top + 11}>
        {agent.slice(0, Math.max(10, Math.floor(width / 14)))}
      </text>
      <text class="plot-lane plot-quiet" x={width} y={top + 11} text-anchor="end">
        {texts.plots.lane(measure.text(p50), measure.text(p95))}
      </text>
      {bins.map((bin, at) => {
        if (bin.count === 0) return null;
        const size = Math.max(1.5, (bin.count / most) * (LANE - 24));
        const range = texts.plots.range(measure.text(bin.from), measure.text(bin.to));
        return (
          <rect
            key={at}
            class="plot-bar"
            x={at * step + 0.5}
            y={base - size}
            width={Math.max(1, step - 1)}
            height={size}
          >
            <title>{texts.plots.bin(agent, range, texts.evaluations.runs(count(bin.count)))}</title>
          </rect>
        );
      })}
      <line class="plot-base" x1={0} x2={width} y1={base} y2={base} />
      {(
        [
          ["p50", p50],
          ["p95", p95],
        ] as const
      ).map(([name, value]) => {
        const x = Math.min(width - 0.75, Math.max(0.75, scale.at(value) * width));
        return (
          <line key={name} class={`plot-mark ${name}`} x1={x} x2={x} y1={top + 17} y2={base + 2}>
            <title>{texts.plots.mark(name, agent, measure.text(value))}</title>
          </line>
        );
      })}
    </g>
  );
}

function Figures({ groups, measure, title }: { groups: readonly Group[]; measure: Measure; title: string }) {
  return (
    <details>
      <summary>{texts.plots.figures}</summary>
      <Table
        label={title}
        columns={texts.plots.columns.map((name, at) => [name, at === 0 ? "" : "number"] as const)}
      >
        {groups.map(({ agent, values }) => (
          <tr key={agent}>
            <td>{agent}</td>
            <td class="number">{count(values.length)}</td>
            {SHARES.map((share) => (
              <td key={share} class="number">
                {measure.text(quantile(values, share))}
              </td>
            ))}
            <td class="number">
              {measure.text(values.reduce((sum, value) => sum + value, 0) / values.length)}
            </td>
          </tr>
        ))}
      </Table>
    </details>
  );
}
