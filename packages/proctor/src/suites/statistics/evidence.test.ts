import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evidenceAbove } from "./evidence.ts";

const count = fc.integer({ min: 0, max: 150 });
const rate = fc.double({ min: 0.02, max: 0.98, noNaN: true });

describe("evidenceAbove", () => {
  it("is the integral that it claims to be", () => {
    for (const [r, passed, failed] of [
      [0.9, 40, 1],
      [0.9, 20, 10],
      [0.5, 9, 3],
      [0.2, 0, 7],
      [0.75, 12, 0],
    ] as const) {
      const even = simpson((q) => (q / r) ** passed * ((1 - q) / (1 - r)) ** failed, r, 1) / (1 - r);
      const certain = failed === 0 ? r ** -passed : 0;
      expect(evidenceAbove(r, passed, failed)).toBeCloseTo(certain / 3 + (even * 2) / 3, 8);
    }
  });

  it("starts at 1 and is a fair game at the rate itself, so Ville's inequality holds", () => {
    expect(evidenceAbove(0.9, 0, 0)).toBeCloseTo(1, 14);
    fc.assert(
      fc.property(rate, count, count, (r, passed, failed) => {
        const now = evidenceAbove(r, passed, failed);
        const next =
          r * evidenceAbove(r, passed + 1, failed) + (1 - r) * evidenceAbove(r, passed, failed + 1);
        if (Number.isFinite(next)) expect(Math.abs(next / now - 1)).toBeLessThan(1e-9);
      }),
    );
  });

  it("loses on average at any lower rate", () => {
    fc.assert(
      fc.property(
        rate,
        fc.double({ min: 0, max: 1, noNaN: true }),
        count,
        count,
        (r, share, passed, failed) => {
          const lower = r * share;
          const up = evidenceAbove(r, passed + 1, failed);
          const down = evidenceAbove(r, passed, failed + 1);
          const now = evidenceAbove(r, passed, failed);
          if (Number.isFinite(up))
            expect(lower * up + (1 - lower) * down).toBeLessThanOrEqual(now * (1 + 1e-9));
        },
      ),
    );
  });

  it("grows with passes, shrinks with failures, falls as the rate rises", () => {
    fc.assert(
      fc.property(rate, rate, count, count, (one, other, passed, failed) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const now = evidenceAbove(low, passed, failed);
        expect(evidenceAbove(low, passed + 1, failed)).toBeGreaterThanOrEqual(now * (1 - 1e-9));
        expect(evidenceAbove(low, passed, failed + 1)).toBeLessThanOrEqual(now * (1 + 1e-9));
        expect(evidenceAbove(high, passed, failed)).toBeLessThanOrEqual(now * (1 + 1e-9));
      }),
    );
  });

  it("is a number at every edge", () => {
    expect(evidenceAbove(0, 1, 5)).toBe(Infinity);
    expect(evidenceAbove(0, 0, 5)).toBeLessThan(1);
    expect(evidenceAbove(1, 5, 0)).toBe(1);
    expect(evidenceAbove(1, 5, 1)).toBe(0);
    expect(evidenceAbove(0.5, 1_000_000, 0)).toBe(Infinity);
    expect(evidenceAbove(0.5, 0, 1_000_000)).toBeLessThan(1e-5);
    expect(evidenceAbove(0.9, 900_000, 100_000)).toBeLessThan(1);
  });
});

function simpson(f: (x: number) => number, from: number, to: number): number {
  const parts = 2000;
  const step = (to - from) / parts;
  let sum = f(from) + f(to);
  for (let index = 1; index < parts; index++) sum += f(from + index * step) * (index % 2 === 1 ? 4 : 2);
  return (sum * step) / 3;
}
