// How latency, cost, tokens and scores are spread over the runs, for each agent; then the pass rate of each case, the lowest first.
import { useEffect, useRef, useState } from "preact/hooks";
import { cost, count, duration } from "../../components/format.ts";
import { texts } from "../../texts.ts";
import type { CaseCell } from "./evaluation-state.ts";
import { Histogram, type Group, type Measure } from "./histogram.tsx";
import { PassRates } from "./pass-rates.tsx";

/** Gap in pixels between two plots that stand side by side. */
const GAP = 40;
const SIDE_BY_SIDE = 900;
const SMALLEST = 240;

const MEASURES: readonly Measure[] = [
  { key: "latency", text: duration },
  { key: "cost", text: cost },
  { key: "tokens", text: (value) => count(Math.round(value)) },
  { key: "score", text: (value) => String(Number(value.toPrecision(3))) },
];

/** Whether any case has figures that can be drawn. */
export function hasFigures(cells: readonly CaseCell[]): boolean {
  return cells.some(({ more }) => more !== undefined && Object.keys(more.values).length > 0);
}

export function Distributions({
  cells,
  hrefOf,
}: {
  cells: readonly CaseCell[];
  hrefOf: (cell: CaseCell) => string;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const resized = new ResizeObserver(() => setWidth(element.clientWidth));
    resized.observe(element);
    return () => resized.disconnect();
  }, []);
  const each = width > SIDE_BY_SIDE ? Math.floor((width - GAP) / 2) : width;
  const plots = MEASURES.map((measure) => ({ measure, groups: groupsOf(cells, measure.key) })).filter(
    ({ groups }) => groups.length > 0,
  );
  return (
    <div ref={place} class="distributions">
      {plots.length === 0 && <p class="quiet">{texts.plots.none}</p>}
      {width > 0 && (
        <div class="plots">
          {plots.map(({ measure, groups }) => (
            <Histogram key={measure.key} measure={measure} groups={groups} width={Math.max(SMALLEST, each)} />
          ))}
        </div>
      )}
      <PassRates cells={cells} hrefOf={hrefOf} />
    </div>
  );
}

function groupsOf(cells: readonly CaseCell[], key: Measure["key"]): Group[] {
  const byAgent = new Map<string, number[]>();
  for (const { agent, more } of cells) {
    const values = more?.values[key];
    if (values === undefined) continue;
    const all = byAgent.get(agent) ?? [];
    for (const value of values) all.push(value);
    byAgent.set(agent, all);
  }
  return [...byAgent].map(([agent, values]) => ({ agent, values: values.sort((a, b) => a - b) }));
}
