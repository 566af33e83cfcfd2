// Shares of a whole as one bar: what passed, failed, could not be evaluated, and what is still to come. The words stand next to it.
import type { Tone } from "./status.tsx";

export interface Share {
  tone: Tone;
  value: number;
}

export function TallyBar({
  shares,
  whole,
  label,
}: {
  shares: readonly Share[];
  whole: number;
  label: string;
}) {
  return (
    <span class="tally-bar" role="img" aria-label={label} title={label}>
      {shares
        .filter(({ value }) => value > 0)
        .map(({ tone, value }) => (
          <span key={tone} class={tone} style={{ width: `${(value / Math.max(whole, 1)) * 100}%` }} />
        ))}
    </span>
  );
}
