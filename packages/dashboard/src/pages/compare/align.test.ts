import { describe, expect, it } from "vitest";
import { align, type Step } from "./align.ts";

const steps = (text: string): Step[] =>
  text
    .split(" ")
    .filter(Boolean)
    .map((word) => ({ key: word[0] ?? "", fact: word }));
const shape = (a: string, b: string): string[] =>
  align(steps(a), steps(b)).map((row) => `${row.a?.fact ?? "–"}${row.same ? "=" : "≠"}${row.b?.fact ?? "–"}`);

describe("Two runs step by step", () => {
  it("are the same where they did the same", () => {
    expect(shape("a1 b1", "a1 b1")).toEqual(["a1=a1", "b1=b1"]);
  });

  it("stand side by side where they did the same with other words", () => {
    expect(shape("a1 b1 c1", "a1 b2 c1")).toEqual(["a1=a1", "b1≠b2", "c1=c1"]);
  });

  it("have a gap where only one of them did something", () => {
    expect(shape("a1 x1 b1", "a1 b1 y1")).toEqual(["a1=a1", "x1≠–", "b1=b1", "–≠y1"]);
  });

  it("lose and invent no step, whatever they did", () => {
    const a = "c1 a1 a2 b1 a1 c2 b2 a9";
    const b = "a1 c1 b1 b2 a2 a1 c2";
    const rows = align(steps(a), steps(b));
    expect(rows.flatMap((row) => (row.a ? [row.a.fact] : [])).join(" ")).toBe(a);
    expect(rows.flatMap((row) => (row.b ? [row.b.fact] : [])).join(" ")).toBe(b);
    expect(shape("", "a1")).toEqual(["–≠a1"]);
    expect(shape("", "")).toEqual([]);
  });
});
