import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyFaults } from "./apply-faults.ts";
import { parseFault } from "./fault.ts";
import { seededRandom } from "./seeded-random.ts";
import type { Step } from "./steps.ts";

describe("a fault of a mock agent", () => {
  it.each([
    ["drop:3", { kind: "drop", message: 3 }],
    ["drop:12.5%", { kind: "drop", probability: 0.125 }],
    ["delay:250", { kind: "delay", delayMs: 250 }],
    ["delay:250:2", { kind: "delay", delayMs: 250, message: 2 }],
    ["reorder", { kind: "reorder" }],
    ["corrupt:1", { kind: "corrupt", message: 1 }],
    ["cut:0", { kind: "cut", after: 0 }],
    ["duplicate:1", { kind: "duplicate", message: 1 }],
    ["garbage:1", { kind: "garbage", message: 1 }],
    ["stall:0", { kind: "stall", after: 0 }],
  ])("%s is understood", (spec, fault) => {
    expect(parseFault(spec)).toEqual(fault);
  });

  it.each([
    "drop",
    "drop:",
    "drop:0",
    "drop:-1",
    "drop:101%",
    "drop:1:2",
    "delay",
    "delay:x",
    "delay:1:0",
    "delay:1:2:3",
    "reorder:1",
    "cut",
    "cut:1.5",
    "stall:",
    "corrupt:0",
    "garbage:x",
  ])("%s is refused, with the form it should have", (spec) => {
    expect(() => parseFault(spec)).toThrow(/not complete or not valid\nwrite \w+/);
  });

  it("that is misspelt is refused with a suggestion", () => {
    expect(() => parseFault("dorp:1")).toThrow('did you mean "drop"?');
    expect(() => parseFault("explode")).toThrow("all faults: drop:<n>");
  });
});

describe("faults of a mock agent", () => {
  const steps = (count: number): Step[] =>
    Array.from({ length: count }, (_, index) => ({
      kind: "say",
      role: index === count - 1 ? "response" : "event",
      text: `{"n":${index}}`,
    }));
  const apply = (count: number, seed: number, ...specs: string[]): Step[] =>
    applyFaults(steps(count), specs.map(parseFault), seededRandom(seed));

  it("are the same for the same seed", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 20 }), (seed, count) => {
        const specs = ["drop:30%", "reorder", "garbage:1", "corrupt:2"];
        expect(apply(count, seed, ...specs)).toEqual(apply(count, seed, ...specs));
      }),
    );
  });

  it("that reorder lose and add nothing, and leave the response last", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 3, max: 20 }), (seed, count) => {
        const reordered = apply(count, seed, "reorder");
        expect(reordered).not.toEqual(steps(count));
        expect(new Set(reordered.map((step) => JSON.stringify(step))).size).toBe(count);
        expect(reordered.at(-1)).toEqual(steps(count).at(-1));
      }),
    );
  });

  it("that corrupt leave no JSON", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const [step] = apply(1, seed, "corrupt:1");
        expect(step?.kind === "say" && step.text.startsWith("{")).toBe(true);
        expect(() => JSON.parse(step?.kind === "say" ? step.text : "")).toThrow();
      }),
    );
  });

  it("that cut or stall end everything after the given number of messages", () => {
    expect(apply(4, 1, "cut:2")).toEqual([...steps(4).slice(0, 2), { kind: "cut" }]);
    expect(apply(2, 1, "stall:2")).toEqual([...steps(2), { kind: "stall" }]);
    expect(apply(2, 1, "cut:3")).toEqual(steps(2));
  });
});
