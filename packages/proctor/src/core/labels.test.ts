import { describe, expect, it } from "vitest";
import { DATABASE_LABEL, hasLabels, LABEL, requiredLabels } from "./labels.ts";

describe("the labels that a run requires", () => {
  it.each([
    ["a goal", { protocol: "goal", transport: "builtin" }, {}],
    ["a script tool", { protocol: "script-tool", transport: "script-tool" }, {}],
    ["an agent with an inbox", { protocol: "envelope", transport: "inbox" }, {}],
    ["a capability", { protocol: "atp", transport: "stdio" }, { capability: "translate" }],
    [
      "script tools among its tools",
      { protocol: "atp", transport: "stdio" },
      { tools: { tools: [], scripts: ["sum"] } },
    ],
  ])("keep %s from workers without the database", (_what, spec, options) => {
    expect(requiredLabels(spec, options)).toEqual([DATABASE_LABEL]);
    expect(requiredLabels({ ...spec, requires: ["gpu"] }, options)).toEqual([DATABASE_LABEL, "gpu"]);
    expect(hasLabels(["gpu"], requiredLabels(spec, options))).toBe(false);
  });

  it("leave any other run to every worker, and no worker can claim to have the database", () => {
    expect(requiredLabels({ protocol: "atp", transport: "stdio" }, { tools: { tools: [] } })).toEqual([]);
    expect(requiredLabels({ protocol: "envelope", transport: "https" }, {})).toEqual([]);
    expect(LABEL.test(DATABASE_LABEL)).toBe(false);
  });
});
