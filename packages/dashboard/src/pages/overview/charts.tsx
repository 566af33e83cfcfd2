// Runs and cost over time. Buckets without a run are not in the answer, and are zero here.
import { useMemo } from "preact/hooks";
import type { RunsSummary } from "../../api/gen/schema.ts";
import { Chart } from "../../components/chart.tsx";
import { cost } from "../../components/format.ts";
import { texts } from "../../texts.ts";

export function Charts({ summary, rangeMs }: { summary: RunsSummary; rangeMs: number }) {
  const { times, runs, spent } = useMemo(() => series(summary, rangeMs), [summary]);
  const perMinute = 60 / summary.bucket_seconds;
  const rates = useMemo(() => runs.map((value) => value * perMinute), [runs]);
  return (
    <section class="charts">
      <Chart
        label={texts.overview.runsPerMinute}
        times={times}
        values={rates}
        format={(value) => String(Math.round(value * 10) / 10)}
      />
      <Chart label={texts.overview.costOverTime} times={times} values={spent} format={cost} />
    </section>
  );
}

function series(summary: RunsSummary, rangeMs: number): { times: number[]; runs: number[]; spent: number[] } {
  const step = summary.bucket_seconds;
  const known = new Map(
    summary.buckets.map((bucket) => [Math.floor(Date.parse(bucket.at) / 1000 / step), bucket]),
  );
  const first = Math.floor(Date.parse(summary.since) / 1000 / step);
  const places = Array.from({ length: Math.ceil(rangeMs / 1000 / step) + 1 }, (_, index) => first + index);
  return {
    times: places.map((place) => place * step),
    runs: places.map((place) => known.get(place)?.runs ?? 0),
    spent: places.map((place) => known.get(place)?.cost_usd ?? 0),
  };
}
