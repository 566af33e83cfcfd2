// The parts of the page that need no browser.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CaseRow } from "../report-data.ts";
import type { Browser } from "./browser.ts";
import { createDiff } from "./create-diff.ts";
import { createFormat } from "./create-format.ts";
import { createQuery } from "./create-query.ts";
import { createScales } from "./create-scale.ts";
import { createView, type View } from "./create-view.ts";
import { threadCpuMs } from "../../../../runtime/thread-cpu.ts";

const format = createFormat();
const diff = createDiff();
const scales = createScales();

describe("a figure of the HTML report", () => {
  it.each([
    [0, "0 ms"],
    [0.42, "0.42 ms"],
    [999.4, "999 ms"],
    [999.6, "1.00 s"],
    [12_345, "12.3 s"],
    [59_949, "59.9 s"],
    [59_999, "1 min 00 s"],
    [184_200, "3 min 04 s"],
    [3_599_900, "1 h 00 min"],
    [3_723_000, "1 h 02 min"],
    [undefined, "–"],
  ])("of %s ms is shown as %s", (ms, text) => expect(format.duration(ms)).toBe(text));

  it.each([
    [1, "100%"],
    [0.9999, "99.9%"],
    [0.9949, "99.5%"],
    [0.501, "50%"],
    [0.0001, "0.1%"],
    [0, "0%"],
  ])("that is a share of %s is shown as %s", (share, text) => expect(format.percent(share)).toBe(text));

  it("of money, tokens, p-values or ticks has as many digits as say something", () => {
    expect([0, 0.00042, 0.0123, 9.5, 1234.567].map(format.money)).toEqual([
      "$0",
      "$0.00042",
      "$0.012",
      "$9.5",
      "$1,234.57",
    ]);
    expect([950, 99_999, 123_456, 13_213_000].map(format.tokens)).toEqual(["950", "99,999", "123k", "13.2M"]);
    expect([0.0004, 0.05, 1].map(format.probability)).toEqual(["< 0.001", "0.050", "1.000"]);
    expect([0, 50, 2500, 10_000].map(format.tick)).toEqual(["0", "50 ms", "2.5 s", "10 s"]);
  });
});

it("a text of the HTML report makes visible what would reorder or hide text, and leaves the rest alone", () => {
  expect(format.visible("a\u202eb\u0000\u001b[31m\r\nc\td")).toBe("a\\u202eb\\u0000\\u001b[31m\nc\td");
  expect(format.shorten("ab🙂cd", 4)).toBe("ab…");
});

describe("differences in the HTML report", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 });

  it("lead from one text to the other, in order, with the right line numbers", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const found = diff.lines(before, after);
        const side = (without: string, number: "before" | "after") =>
          found.filter(({ kind }) => kind !== without).map((line) => [line[number], line.text]);
        expect(side("added", "before")).toEqual(before.map((text, at) => [at + 1, text]));
        expect(side("removed", "after")).toEqual(after.map((text, at) => [at + 1, text]));
      }),
    );
  });

  it("are as short as can be", () => {
    const shortest = (a: string[], b: string[]): number => {
      const row = Array.from({ length: b.length + 1 }, (_, at) => at);
      for (const one of a) {
        let corner = row[0] ?? 0;
        row[0] = corner + 1;
        for (const [at, other] of b.entries()) {
          const above = row[at + 1] ?? 0;
          row[at + 1] = one === other ? corner : 1 + Math.min(above, row[at] ?? 0);
          corner = above;
        }
      }
      return row[b.length] ?? 0;
    };
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const edits = diff.lines(before, after).filter(({ kind }) => kind !== "same");
        expect(edits).toHaveLength(shortest(before, after));
      }),
    );
  });

  it("of two long texts with nothing in common end soon, and are still complete", () => {
    const text = (word: string): string[] => Array.from({ length: 20_000 }, (_, at) => `${word} ${at}`);
    const beforeMs = threadCpuMs();
    const found = diff.lines(["same", ...text("a")], ["same", ...text("b")]);
    expect(threadCpuMs() - beforeMs).toBeLessThan(20_000);
    expect(found).toHaveLength(40_001);
  });

  it("of two lines are what they do not share", () => {
    expect(diff.changedPart('"kind": "refund",', '"kind": "credit",')).toEqual({ head: 9, tail: 2 });
    expect(diff.changedPart("aaa", "aa")).toEqual({ head: 2, tail: 0 });
  });
});

describe("scales of the HTML report", () => {
  const values = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 60 });

  it("hold every value, have a few ticks, and lose none in bins", () => {
    fc.assert(
      fc.property(values, (all) => {
        const sorted = all
          .map((value) => (value < 1e-9 ? 0 : Number(value.toPrecision(5))))
          .sort((a, b) => a - b);
        const scale = scales.scale(sorted, 5);
        for (const value of sorted) {
          expect(scale.at(value)).toBeGreaterThanOrEqual(-1e-9);
          expect(scale.at(value)).toBeLessThanOrEqual(1 + 1e-9);
        }
        expect(scale.ticks.length).toBeGreaterThanOrEqual(2);
        expect(scale.ticks.length).toBeLessThanOrEqual(12);
        const bins = scales.bins(sorted, scale, 24);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(sorted.length);
      }),
    );
  });

  it("are logarithmic where one value would press the others into a corner", () => {
    expect(scales.scale([1, 2, 3, 900], 5)).toMatchObject({
      log: true,
      low: 1,
      high: 1000,
      ticks: [1, 10, 100, 1000],
    });
    expect(scales.scale([0, 2, 3, 9], 5)).toMatchObject({ log: false, ticks: [0, 2, 4, 6, 8, 10] });
  });
});

describe("cases shown in the HTML report", () => {
  const row = (name: string, rest: Partial<CaseRow> = {}): CaseRow => {
    const none = {
      suite: 0,
      agent: 0,
      tags: [],
      outcome: "pass" as const,
      runs: 1,
      passed: 1,
      failed: 0,
      values: {},
    };
    return { ...none, id: name, name, ...rest };
  };
  const rows = [
    row("one", { latency: [10, 20], cost: 3 }),
    row("Two ten", { outcome: "fail", agent: 1, tags: [0], passed: 1, failed: 2 }),
    row("two", { suite: 1, latency: [5, 50] }),
    row("10", { outcome: "unevaluated", cost: 1, change: "regressed" }),
  ];
  const query = createQuery({ rows, suites: ["s", "t"], agents: ["x", "y"], tags: ["slow"] });
  const all: View = createView(browserAt("")).get();

  it.each<[Partial<View>, number[]]>([
    [{}, [1, 3, 0, 2]],
    [{ sort: "" }, [0, 1, 2, 3]],
    [{ q: "TWO" }, [1, 2]],
    [{ q: "two ten" }, [1]],
    [{ q: "slow" }, [1]],
    [{ outcome: "fail" }, [1]],
    [{ outcome: "flaky" }, [1]],
    [{ agent: "x", sort: "" }, [0, 2, 3]],
    [{ suite: "t" }, [2]],
    [{ tag: "slow" }, [1]],
    [{ tag: "unknown" }, []],
    [{ change: "regressed" }, [3]],
    [{ sort: "p95" }, [0, 2, 1, 3]],
    [{ sort: "-p95" }, [2, 0, 1, 3]],
    [{ sort: "cost" }, [3, 0, 1, 2]],
    [{ sort: "name" }, [3, 0, 2, 1]],
    [{ sort: "nonsense" }, [0, 1, 2, 3]],
  ])("for %j are %j", (view, places) => expect(query.run({ ...all, ...view })).toEqual(places));
});

describe("the view in the address of the HTML report", () => {
  it("comes back as it was, whatever it holds", () => {
    // Any code points but surrogates; fast-check's own binary strings take a second to set up.
    const text = fc
      .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 12 })
      .map((points) => String.fromCodePoint(...points).toWellFormed());
    const view = fc.record({
      q: text,
      agent: text,
      tag: text,
      sort: text,
      page: fc.integer({ min: 1, max: 1e6 }),
      case: fc.nat(),
    });
    fc.assert(
      fc.property(view, (wanted) => {
        const state = createView(browserAt(""));
        expect(state.read(state.link(wanted))).toMatchObject(wanted);
      }),
    );
  });

  it("is a view for every address", () => {
    expect(createView(browserAt("#page=-3&case=x&run=1e99&against=NaN&q")).get()).toMatchObject({
      page: 1,
      case: 0,
      run: 1,
      against: 0,
      q: "",
    });
  });
});

function browserAt(hash: string): Browser {
  // Only what the view asks for.
  return { location: { hash }, addEventListener: () => {} } as unknown as Browser;
}
