import { describe, expect, it } from "vitest";
import { createTail } from "./tail.ts";

describe("the tail of an agent's output", () => {
  it("is its last whole lines", () => {
    const tail = createTail(2000);
    for (let index = 0; index < 500; index++) tail.add(`line ${index} of many`);
    const lines = tail.text().split("\n");
    expect(lines.at(-1)).toBe("line 499 of many");
    expect(lines[0]).toMatch(/^line \d+ of many$/);
    expect(tail.text().length).toBeLessThanOrEqual(2000);
  });

  it("says of a line that is too long only how long it was", () => {
    const tail = createTail(2000);
    tail.add("before");
    tail.add("x".repeat(5000));
    expect(tail.text()).toBe("before\n(a line of 5000 characters)");
  });
});
