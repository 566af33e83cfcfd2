import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../runtime/thread-cpu.ts";
import { describe as describeValues } from "./describe.ts";
import { medianInterval } from "./median-interval.ts";
import { normalQuantile } from "./normal.ts";
import { quantile } from "./quantile.ts";
import { createSeededRandom } from "./seeded-random.ts";
import { studentQuantile } from "./student.ts";

// mtcars$mpg of R.
const MPG = [
  21, 21, 22.8, 21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3, 15.2, 10.4, 10.4, 14.7, 32.4,
  30.4, 33.9, 21.5, 15.5, 15.2, 13.3, 19.2, 27.3, 26, 30.4, 15.8, 19.7, 15, 21.4,
];

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const usual = fc.double({ noNaN: true, min: -1e6, max: 1e6 });

describe("describe", () => {
  it("has the mean, deviation and quantiles that R gives for mtcars$mpg", () => {
    const summary = describeValues(MPG);
    expect(summary).toMatchObject({ count: 32, min: 10.4, p50: 19.2, max: 33.9 });
    expect(summary?.mean).toBeCloseTo(20.090625, 10);
    expect(summary?.deviation).toBeCloseTo(6.026948, 6);
    expect(summary?.p90).toBeCloseTo(30.09, 10);
    expect(summary?.p95).toBeCloseTo(31.3, 10);
    expect(summary?.p99).toBeCloseTo(33.435, 10);
  });

  it("uses Student's t for few values: Efron and Tibshirani's treated mice", () => {
    // An Introduction to the Bootstrap (1993), table 2.1: mean 86.86, standard error 25.24; t of 6 is 2.447.
    const mice = describeValues([94, 197, 16, 38, 99, 141, 23]);
    expect(mice?.mean).toBeCloseTo(86.86, 2);
    expect((mice?.deviation ?? NaN) / Math.sqrt(7)).toBeCloseTo(25.24, 2);
    expect(mice?.interval?.low).toBeCloseTo(86.857 - 2.4469 * 25.236, 1);
    expect(mice?.interval?.high).toBeCloseTo(86.857 + 2.4469 * 25.236, 1);
  });

  it("agrees with Student's t where the values are symmetric, and leans where they are skewed", () => {
    // R's paired t-test of `sleep`: 95 percent confidence interval 0.7001142 2.4598858. One of the ten, 4.6, is far out.
    const sleep = describeValues([1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4]);
    expect(sleep?.mean).toBeCloseTo(1.58, 12);
    expect(sleep?.interval?.low).toBeGreaterThan(0.7);
    expect(sleep?.interval?.high).toBeGreaterThan(2.46);
    const even = Array.from({ length: 40 }, (_, index) => normalQuantile((index + 0.5) / 40));
    const { interval, deviation = NaN } = describeValues(even, { resamples: 20_000 }) ?? {};
    const reach = (studentQuantile(0.975, 39) * deviation) / Math.sqrt(40);
    expect(interval?.high).toBeCloseTo(reach, 1);
    expect(interval?.low).toBeCloseTo(-reach, 1);
  });

  it("promises no more than it knows: nothing of none, no interval of one", () => {
    expect(describeValues([])).toBeUndefined();
    expect(describeValues([5])).toEqual({
      count: 1,
      mean: 5,
      deviation: 0,
      min: 5,
      p50: 5,
      p90: 5,
      p95: 5,
      p99: 5,
      max: 5,
    });
    expect(describeValues([1, 2, 3, 4, 5])).not.toHaveProperty("median_interval");
    expect(describeValues([7, 7, 7, 7, 7, 7])).toMatchObject({
      deviation: 0,
      interval: { low: 7, high: 7 },
      median_interval: { low: 7, high: 7 },
    });
  });

  it("is the same each time and in any order, and with another seed differs only by noise", () => {
    const again = describeValues([...MPG]);
    expect(describeValues(MPG)).toEqual(again);
    expect(describeValues(MPG.toReversed())).toEqual(again);
    const other = describeValues(MPG, { seed: 99 });
    expect(other).not.toEqual(again);
    expect(other?.interval?.low).toBeCloseTo(again?.interval?.low ?? NaN, 0);
  });

  it("has its order among the tiniest numbers, too", () => {
    const { p50, p90, p95, p99, max } = describeValues([0, 0, 6.4e-323, 6e-323, 0]) ?? expect.fail();
    const order = [p50, p90, p95, p99, max];
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it("has its order: low, mean and high; min to max; for any finite values", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(finite, usual), { minLength: 1, maxLength: 30 }), (values) => {
        const { min, p50, p90, p95, p99, max, mean, interval, median_interval, ...rest } =
          describeValues(values, { resamples: 50 }) ?? expect.fail();
        const order = [min, p50, p90, p95, p99, max];
        for (const [index, value] of order.entries())
          expect(value).toBeGreaterThanOrEqual(order[index - 1] ?? min);
        expect(Number.isFinite(mean) && Number.isFinite(rest.deviation)).toBe(true);
        if (interval !== undefined) {
          expect(interval.low).toBeLessThanOrEqual(mean);
          expect(interval.high).toBeGreaterThanOrEqual(mean);
          expect(Number.isFinite(interval.low) && Number.isFinite(interval.high)).toBe(true);
        }
        if (median_interval !== undefined) {
          expect(median_interval.low).toBeLessThanOrEqual(p50);
          expect(median_interval.high).toBeGreaterThanOrEqual(p50);
        }
      }),
    );
  });

  it("describes ten values in a few milliseconds at most, and a million at all", () => {
    const values = MPG.slice(0, 10);
    for (let warm = 0; warm < 50; warm++) describeValues(values);
    const startedAt = threadCpuMs();
    for (let turn = 0; turn < 100; turn++) describeValues(values);
    // Measured at 0.16 ms; the limit leaves room for a slow machine.
    expect((threadCpuMs() - startedAt) / 100).toBeLessThan(10);
    expect(describeValues(Array.from({ length: 1_000_000 }, (_, index) => index))?.mean).toBe(499_999.5);
  });

  it.each([[[NaN]], [[1, Infinity]]])("refuses the values %j", (values) => {
    expect(() => describeValues(values)).toThrow("values must be finite numbers");
  });

  it.each([{ confidence: 1 }, { confidence: 0 }, { resamples: 0 }, { resamples: -1 }, { seed: 0.5 }])(
    "refuses the options %j",
    (options) => {
      expect(() => describeValues(MPG, options)).toThrow(RangeError);
    },
  );
});

describe("quantile", () => {
  it("is R's default, type 7 of Hyndman and Fan", () => {
    const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    for (const [share, value] of [
      [0, 1],
      [0.25, 3.25],
      [0.5, 5.5],
      [0.9, 9.1],
      [0.99, 9.91],
      [1, 10],
    ] as const) {
      expect(quantile(ten, share)).toBeCloseTo(value, 12);
    }
    expect(quantile([1, Infinity, Infinity], 0.5)).toBe(Infinity);
    expect(quantile([1, Infinity, Infinity], 0.75)).toBe(Infinity);
    expect(quantile([1, Infinity], 0)).toBe(1);
    expect(() => quantile([], 0.5)).toThrow(RangeError);
    expect(() => quantile([1], 1.1)).toThrow(RangeError);
  });
});

describe("medianInterval", () => {
  // G. J. Hahn and W. Q. Meeker, Statistical Intervals (1991), distribution-free intervals of the median, 95%.
  it.each([
    [6, 1],
    [8, 1],
    [9, 2],
    [10, 2],
    [15, 4],
    [20, 6],
    [25, 8],
    [30, 10],
    [100, 40],
  ])("of %d values goes from number %d to its mirror", (count, rank) => {
    const values = Array.from({ length: count }, (_, index) => index + 1);
    expect(medianInterval(values)).toEqual({ low: rank, high: count + 1 - rank });
  });

  it("holds the median as often as it says, also of skewed values", () => {
    const random = createSeededRandom(23);
    let held = 0;
    for (let trial = 0; trial < 3000; trial++) {
      const values = Array.from({ length: 15 }, () => -Math.log(1 - random.next())).sort((a, b) => a - b);
      const { low, high } = medianInterval(values) ?? { low: NaN, high: NaN };
      if (low <= Math.LN2 && Math.LN2 <= high) held++;
    }
    // Exactly 0.9648.
    expect(held / 3000).toBeGreaterThan(0.95);
  });
});

describe("studentQuantile", () => {
  // Student's table, as in any textbook; R's qt.
  it.each([
    [0.975, 1, 12.7062047],
    [0.975, 2, 4.3026527],
    [0.975, 9, 2.2621572],
    [0.95, 10, 1.8124611],
    [0.975, 30, 2.0422725],
    [0.975, 99, 1.984217],
    [0.975, 100, 1.9839715],
    [0.975, 120, 1.9799304],
    [0.995, 5, 4.032143],
    [0.9995, 1, 636.6192488],
    [0.025, 9, -2.2621572],
  ])("of %d with %d degrees is as in the table", (p, freedom, value) => {
    expect(Math.abs(studentQuantile(p, freedom) - value)).toBeLessThan(1e-7);
  });
});
