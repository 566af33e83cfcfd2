// Runs, their cost and duration, and pass rates over time. Buckets without a run are not in the answer: nothing ran and nothing was spent, and
// how long runs take or how many cases pass is not known.
import { useMemo } from "preact/hooks";
import type { RunsSummary } from "../../api/gen/schema.ts";
import { Chart } from "../../components/chart.tsx";
import { cost, duration } from "../../components/format.ts";
import { texts } from "../../texts.ts";

export function Charts({ summary, rangeMs }: { summary: RunsSummary; rangeMs: number }) {
  const { times, rates, spent, took, passed } = useMemo(() => series(summary, rangeMs), [summary]);
  return (
    <section class="charts">
      <Chart
        label={texts.overview.runsPerMinute}
        times={times}
        values={rates}
        format={(value) => String(Math.round(value * 10) / 10)}
      />
      {passed.some((rate) => rate !== null) && (
        <Chart
          label={texts.overview.passRateOverTime}
          times={times}
          values={passed}
          most={1}
          format={(value) => `${Math.round(value * 100)} %`}
        />
      )}
      <Chart label={texts.overview.latencyOverTime} times={times} values={took} format={duration} />
      <Chart label={texts.overview.costOverTime} times={times} values={spent} format={cost} />
    </section>
  );
}

interface Series {
  times: number[];
  /** Number of runs per minute in each bucket. */
  rates: number[];
  spent: number[];
  took: (number | null)[];
  passed: (number | null)[];
}

function series(summary: RunsSummary, rangeMs: number): Series {
  const step = summary.bucket_seconds;
  const placeOf = (at: string): number => Math.floor(Date.parse(at) / 1000 / step);
  const runs = new Map(summary.buckets.map((bucket) => [placeOf(bucket.at), bucket]));
  const cases = new Map(summary.evaluations.buckets.map((bucket) => [placeOf(bucket.at), bucket]));
  const first = placeOf(summary.since);
  const places = Array.from({ length: Math.ceil(rangeMs / 1000 / step) + 1 }, (_, index) => first + index);
  return {
    times: places.map((place) => place * step),
    rates: places.map((place) => ((runs.get(place)?.runs ?? 0) * 60) / step),
    spent: places.map((place) => runs.get(place)?.cost_usd ?? 0),
    took: places.map((place) => runs.get(place)?.duration_ms ?? null),
    passed: places.map((place) => cases.get(place)?.pass_rate ?? null),
  };
}
