// A rate with its interval on a line from 0 to 100 %: how much the runs can say.
import { texts } from "../texts.ts";

interface IntervalProps {
  value: number;
  low: number;
  high: number;
}

const WIDTH = 56;

export function Interval({ value, low, high }: IntervalProps) {
  const at = (share: number): number => 1 + share * (WIDTH - 2);
  const label = texts.interval(percentOf(value), percentOf(low), percentOf(high));
  return (
    <svg class="interval" width={WIDTH} height="10" viewBox={`0 0 ${WIDTH} 10`} role="img" aria-label={label}>
      <title>{label}</title>
      <line class="interval-track" x1="0" x2={WIDTH} y1="5" y2="5" />
      <rect
        class="interval-band"
        x={at(low)}
        y="2.5"
        width={Math.max(at(high) - at(low), 1)}
        height="5"
        rx="1.5"
      />
      <line class="interval-value" x1={at(value)} x2={at(value)} y1="0" y2="10" />
    </svg>
  );
}

function percentOf(share: number): number {
  return Math.round(share * 100);
}
