import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../runtime/thread-cpu.ts";
import { diffLines } from "./diff-lines.ts";

describe("the differences of two texts", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 });

  it("lead from one text to the other, in order, with the right line numbers", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const found = diffLines(before, after);
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
        const edits = diffLines(before, after).filter(({ kind }) => kind !== "same");
        expect(edits).toHaveLength(shortest(before, after));
      }),
    );
  });

  it("of two long texts with nothing in common end soon, and are still complete", () => {
    const text = (word: string): string[] => Array.from({ length: 20_000 }, (_, at) => `${word} ${at}`);
    const beforeMs = threadCpuMs();
    const found = diffLines(["same", ...text("a")], ["same", ...text("b")]);
    expect(threadCpuMs() - beforeMs).toBeLessThan(20_000);
    expect(found).toHaveLength(40_001);
  });
});
