// The tests that compare: Fisher, McNemar, Holm, against published examples and their laws.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fisherExact } from "./fisher.ts";
import { holm } from "./holm.ts";
import { mcNemarExact } from "./mcnemar.ts";
import { createSeededRandom } from "./seeded-random.ts";

const group = fc
  .integer({ min: 0, max: 60 })
  .chain((total) => fc.record({ passed: fc.integer({ min: 0, max: total }), total: fc.constant(total) }));
const count = fc.integer({ min: 0, max: 200 });

describe("fisherExact", () => {
  it("tastes tea: R. A. Fisher, The Design of Experiments (1935); R's fisher.test(TeaTasting)", () => {
    const { two_sided, less } = fisherExact({ passed: 3, total: 4 }, { passed: 1, total: 4 });
    expect(two_sided).toBeCloseTo(0.4857, 4);
    expect(less).toBeCloseTo(0.2429, 4);
  });

  it("finds twins alike: Fisher's convicts, R's fisher.test(Convictions)", () => {
    const twins = fisherExact({ passed: 15, total: 17 }, { passed: 3, total: 13 });
    expect(twins.two_sided).toBeCloseTo(0.0005367, 7);
    expect(twins.less).toBeCloseTo(0.0004652, 7);
  });

  it("agrees with SAS: M. E. Stokes, C. S. Davis and G. G. Koch, Categorical Data Analysis, chapter 2", () => {
    const severe = fisherExact({ passed: 10, total: 12 }, { passed: 2, total: 6 });
    expect(severe.two_sided).toBeCloseTo(0.107, 4);
    expect(severe.less).toBeCloseTo(0.0573, 4);
    expect(severe.greater).toBeCloseTo(0.9961, 4);
  });

  it("has its laws: probabilities, symmetry, tails that share the table seen", () => {
    fc.assert(
      fc.property(group, group, (a, b) => {
        const there = fisherExact(a, b);
        const back = fisherExact(b, a);
        expect(there.two_sided).toBeGreaterThan(0);
        expect(there.two_sided).toBeLessThanOrEqual(1);
        expect(there.two_sided).toBeGreaterThanOrEqual(Math.min(there.less, there.greater) - 1e-12);
        expect(there.less + there.greater).toBeGreaterThanOrEqual(1 - 1e-12);
        expect(back.two_sided).toBeCloseTo(there.two_sided, 10);
        expect(back.less).toBeCloseTo(there.greater, 10);
      }),
    );
  });

  it("is smaller the fewer passes there are in the second group", () => {
    const all = Array.from({ length: 21 }, (_, passed) =>
      fisherExact({ passed: 15, total: 20 }, { passed, total: 20 }),
    );
    for (const [index, { less }] of all.entries()) expect(less).toBeGreaterThan(all[index - 1]?.less ?? 0);
  });

  it("says significant no more often than it may when nothing differs", () => {
    const random = createSeededRandom(11);
    const runs = 4000;
    let wrong = 0;
    for (let index = 0; index < runs; index++) {
      const draw = (): number =>
        Array.from({ length: 25 }, () => random.next()).filter((x) => x < 0.7).length;
      const { two_sided } = fisherExact({ passed: draw(), total: 25 }, { passed: draw(), total: 25 });
      if (two_sided <= 0.05) wrong++;
    }
    expect(wrong / runs).toBeLessThan(0.05);
    expect(wrong).toBeGreaterThan(0);
  });

  it("survives large and empty groups", () => {
    const large = { passed: 900_000, total: 1_000_000 };
    expect(fisherExact(large, large).two_sided).toBeCloseTo(1, 12);
    expect(fisherExact(large, { passed: 800_000, total: 1_000_000 }).less).toBeLessThan(1e-300);
    expect(fisherExact({ passed: 0, total: 0 }, { passed: 3, total: 5 }).two_sided).toBe(1);
  });

  it.each([
    { passed: 3, total: 2 },
    { passed: -1, total: 2 },
    { passed: NaN, total: 2 },
    { passed: 1, total: 2.5 },
  ])("refuses $passed of $total", (wrong) => {
    expect(() => fisherExact(wrong, { passed: 1, total: 2 })).toThrow(/a\.passed|a\.total/);
    expect(() => fisherExact({ passed: 1, total: 2 }, wrong)).toThrow(RangeError);
  });
});

describe("mcNemarExact", () => {
  it("is the exact conditional test in M. W. Fagerland et al., BMC Med. Res. Methodol. 13:91 (2013)", () => {
    // Airway hyper-responsiveness before and after transplantation: 1 and 7 discordant pairs, p = 0.070.
    expect(mcNemarExact(1, 7).two_sided).toBeCloseTo(18 / 256, 12);
    expect(mcNemarExact(1, 7).greater).toBeCloseTo(9 / 256, 12);
  });

  it("finds five flips in one direction on one side, six on two", () => {
    expect(mcNemarExact(5, 0).less).toBeCloseTo(1 / 32, 14);
    expect(mcNemarExact(5, 0).two_sided).toBeGreaterThan(0.05);
    expect(mcNemarExact(6, 0).two_sided).toBeLessThan(0.05);
    expect(mcNemarExact(0, 0)).toEqual({ two_sided: 1, less: 1, greater: 1 });
  });

  it("is symmetric, and a probability", () => {
    fc.assert(
      fc.property(count, count, (first, second) => {
        const there = mcNemarExact(first, second);
        const back = mcNemarExact(second, first);
        for (const p of Object.values(there)) expect(p >= 0 && p <= 1).toBe(true);
        expect(back.two_sided).toBeCloseTo(there.two_sided, 12);
        expect(back.less).toBeCloseTo(there.greater, 12);
      }),
    );
  });

  it("refuses what is no count", () => {
    expect(() => mcNemarExact(-1, 2)).toThrow("onlyFirst must be a whole number");
    expect(() => mcNemarExact(1, NaN)).toThrow(RangeError);
  });
});

describe("holm", () => {
  it("adjusts as R's p.adjust: .01 .04 .03 .005", () => {
    expect(holm([0.01, 0.04, 0.03, 0.005]).map((p) => Number(p.toFixed(10)))).toEqual([
      0.03, 0.06, 0.06, 0.02,
    ]);
  });

  it("rejects the first three of fifteen: Y. Benjamini and Y. Hochberg, JRSS B 57 (1995), section 4.1", () => {
    const values = [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528,
      0.759, 1,
    ];
    const adjusted = holm(values);
    expect(adjusted.filter((p) => p <= 0.05)).toHaveLength(3);
    expect(adjusted.slice(0, 4).map((p) => Number(p.toFixed(4)))).toEqual([0.0015, 0.0056, 0.0247, 0.114]);
  });

  it("never lowers a value, keeps their order, and does not depend on the order given", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }), (values) => {
        const adjusted = holm(values);
        for (const [i, value] of values.entries()) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(value);
          expect(adjusted[i]).toBeLessThanOrEqual(Math.min(1, value * values.length));
          for (const [j, other] of values.entries()) {
            if (value <= other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j] ?? NaN);
          }
        }
        expect(holm(values.toReversed())).toEqual(adjusted.toReversed());
      }),
    );
  });

  it("is wrong about any of ten true hypotheses no more often than it may", () => {
    const random = createSeededRandom(3);
    let wrong = 0;
    for (let index = 0; index < 4000; index++) {
      const values = Array.from({ length: 10 }, () => random.next());
      if (holm(values).some((p) => p <= 0.05)) wrong++;
    }
    // 0.05 and three standard errors of 4000 draws.
    expect(wrong / 4000).toBeLessThan(0.0604);
  });

  it.each([[[-0.1]], [[1.1]], [[NaN]]])("refuses %j", (values) => {
    expect(() => holm(values)).toThrow(RangeError);
  });
});
