import { describe, expect, it } from "vitest";
import { createAffinity, MAX_AFFINITIES } from "./affinity.ts";

describe("the agents of conversations", () => {
  it("are remembered by key, and the last one counts", () => {
    const affinity = createAffinity();
    affinity.set("chat", "a");
    affinity.set("chat", "b");
    expect(affinity.get("chat")).toBe("b");
    expect(affinity.get("other")).toBeUndefined();
  });

  it("are forgotten where there are too many, those that were not asked for longest first", () => {
    const affinity = createAffinity();
    for (const key of ["first", "second"]) affinity.set(key, "a");
    affinity.get("first");
    for (let number = 1; number < MAX_AFFINITIES; number++) affinity.set(`key-${number}`, "b");
    expect(affinity.get("second")).toBeUndefined();
    expect(affinity.get("first")).toBe("a");
  });
});
