import { describe, expect, it } from "vitest";
import { findRoot } from "./find-root.ts";

describe("findRoot", () => {
  it.each([
    { name: "a line", f: (x: number) => x - 0.3, root: 0.3 },
    { name: "a falling curve", f: (x: number) => 0.1 - x ** 3, root: 0.1 ** (1 / 3) },
    { name: "an infinite end", f: (x: number) => -Math.log(x) - 20, root: Math.exp(-20) },
    { name: "a step", f: (x: number) => (x < 0.7 ? -1 : 1e9), root: 0.7 },
    { name: "a root at the very edge", f: (x: number) => x - 1e-14, root: 0 },
  ])("finds the crossing of $name in few steps", ({ f, root }) => {
    let steps = 0;
    const counted = (x: number): number => {
      steps++;
      return f(x);
    };
    expect(Math.abs(findRoot(counted, 0, 1) - root)).toBeLessThan(2e-13);
    expect(steps).toBeLessThan(100);
  });
});
