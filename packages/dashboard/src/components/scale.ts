// From values to places on an axis: bins, ticks and quantiles. Pure.

export interface Scale {
  low: number;
  high: number;
  log: boolean;
  /** Returns the place of a value on the axis, from 0 to 1. */
  at: (value: number) => number;
  ticks: number[];
}

export interface Bin {
  from: number;
  to: number;
  count: number;
}

/** Returns the quantile of type 7, like the figures of the suite. `sorted` is not empty. */
export function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? 0;
  const high = sorted[Math.ceil(place)] ?? low;
  return low + (high - low) * (place - Math.floor(place));
}

/** Returns a scale, which is logarithmic where the largest value would press all others into a corner. */
export function scaleOf(sorted: readonly number[], wanted: number): Scale {
  const first = sorted[0] ?? 0;
  const last = sorted[sorted.length - 1] ?? 0;
  const isSkewed = first > 0 && last > 20 * quantile(sorted, 0.5);
  if (isSkewed) return logScale(first, last);
  const from = first >= 0 && first < last / 2 ? 0 : first;
  if (from === last) return linear(from === 0 ? 0 : from * 0.9, from === 0 ? 1 : from * 1.1, wanted);
  return linear(from, last, wanted);
}

function linear(first: number, last: number, wanted: number): Scale {
  const low = Math.min(first, last);
  const high = Math.max(first, last);
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const start = Math.floor(low / step + 1e-9);
  const end = Math.ceil(high / step - 1e-9);
  // Multiplied, not added up: 3 * 0.1 is nearer to 0.3 after rounding than three sums.
  const ticks = Array.from({ length: end - start + 1 }, (_, at) =>
    Number(((start + at) * step).toPrecision(12)),
  );
  const [from, to] = [start * step, end * step];
  return { low: from, high: to, log: false, at: (value) => (value - from) / (to - from), ticks };
}

function logScale(first: number, last: number): Scale {
  const start = Math.floor(Math.log10(first) + 1e-9);
  const end = Math.ceil(Math.log10(last) - 1e-9);
  const all = Array.from({ length: end - start + 1 }, (_, at) => 10 ** (start + at));
  const every = Math.ceil(all.length / 8);
  return {
    low: 10 ** start,
    high: 10 ** end,
    log: true,
    at: (value) => (Math.log10(Math.max(value, 10 ** start)) - start) / (end - start),
    ticks: all.filter((_, at) => at % every === 0),
  };
}

export function binsOf(values: readonly number[], { low, high, log, at }: Scale, wanted: number): Bin[] {
  const edge = (share: number): number =>
    log ? 10 ** (Math.log10(low) + share * (Math.log10(high) - Math.log10(low))) : low + share * (high - low);
  const all = Array.from({ length: wanted }, (_, index): Bin => {
    return { from: edge(index / wanted), to: edge((index + 1) / wanted), count: 0 };
  });
  for (const value of values) {
    const bin = all[Math.min(wanted - 1, Math.max(0, Math.floor(at(value) * wanted)))];
    if (bin) bin.count += 1;
  }
  return all;
}
