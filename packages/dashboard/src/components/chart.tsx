// One line over time.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { theme } from "../state/theme.ts";

interface ChartProps {
  label: string;
  /** Times of the values in seconds since 1970, ascending. */
  times: readonly number[];
  /** Values at these times; null where nothing is known: there the line has a gap, and a value between two gaps is a point. */
  values: readonly (number | null)[];
  format: (value: number) => string;
  /** Top of the scale; the largest value when absent. */
  most?: number;
}

const HEIGHT = 150;

export function Chart({ label, times, values, format, most }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const data: uPlot.AlignedData = [[...times], [...values]];
  const hasGaps = values.includes(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    plot.current = new uPlot(optionsOf(element, { format, hasGaps, most }), data, element);
    const resized = new ResizeObserver(() =>
      plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.current?.destroy();
    };
  }, [theme.value, hasGaps]);
  useEffect(() => plot.current?.setData(data), [times, values]);
  const last = values.findLast((value) => value !== null);
  return (
    <figure class="chart">
      <figcaption>
        <h2>{label}</h2>
        {last != null && <span class="quiet">{format(last)}</span>}
      </figcaption>
      <div ref={place} role="img" aria-label={label} />
    </figure>
  );
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

/** Returns the time of a mark on the axis, or its day where that differs from the day of the mark before. */
function timeLabel(seconds: number, before: number | undefined): string {
  const date = new Date(seconds * 1000);
  const isNew = before !== undefined && new Date(before * 1000).getDate() !== date.getDate();
  return isNew ? DAY.format(date) : CLOCK.format(date);
}

interface Drawing {
  format: (value: number) => string;
  hasGaps: boolean;
  most: number | undefined;
}

function optionsOf(element: HTMLElement, { format, hasGaps, most: top }: Drawing): uPlot.Options {
  const styles = getComputedStyle(element);
  const colour = (name: string): string => styles.getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: colour("--quiet"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    font: "11px system-ui, sans-serif",
  };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false },
    padding: [8, 8, 0, 0],
    scales: { y: { range: (_, __, most) => [0, top ?? Math.max(most * 1.1, Number.EPSILON)] } },
    axes: [
      { ...axis, values: (_, ticks) => ticks.map((tick, index) => timeLabel(tick, ticks[index - 1])) },
      { ...axis, size: 52, values: (_, ticks) => ticks.map(format) },
    ],
    series: [
      {},
      {
        stroke: colour("--accent"),
        width: 1.5,
        fill: colour("--accent-ground"),
        points: { show: hasGaps, size: 5, fill: colour("--accent") },
        ...(uPlot.paths.stepped && { paths: uPlot.paths.stepped({ align: 1 }) }),
      },
    ],
  };
}
