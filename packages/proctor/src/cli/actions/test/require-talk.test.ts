import { describe, expect, it } from "vitest";
import type { Talks } from "../../../core/ports/driver.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import { createPlan } from "../../../suites/plan.ts";
import { loadDefinition } from "../../../suites/load.ts";
import { requireTalk } from "./require-talk.ts";

async function refusal(test: object, talks: Talks, agent?: string): Promise<string> {
  const definition = {
    test_suite: "s",
    agents: [{ name: "a", address: "atp+stdio:x" }],
    tests: [{ id: "t", name: "T", ...test }],
  };
  const suite = await loadDefinition(definition, { file: "s.yaml", folder: "/", variables: null });
  const plan = createPlan([suite], agent === undefined ? {} : { agents: [agent] });
  const hub = { agent: () => Promise.resolve({ protocol: "kept", transport: "http" }) } as unknown as Hub;
  return requireTalk(plan, hub, () => Promise.resolve(talks)).then(
    () => "none",
    (error: Error) => error.message,
  );
}

const turns = [{ say: "a" }, { answer: "b" }, { say: "c" }];

describe("a test that talks", () => {
  it("is refused on an agent whose protocol cannot go on, before anything runs", async () => {
    expect(await refusal({ turns }, {})).toMatch(
      /test "t" on a \(atp\+stdio\) talks in several turns, .* cannot go on with a conversation\n {3}name agents that can/,
    );
    expect(await refusal({ user: { goal: "x" } }, { asks: ["input"] })).toMatch(/cannot go on/);
    expect(await refusal({ turns }, {}, "registered")).toMatch(/on registered \(kept\+http\)/);
  });

  it("is refused on an agent that cannot ask what it answers", async () => {
    expect(await refusal({ turns }, { follows: true })).toMatch(
      /answers questions, and .* no way to ask any/,
    );
  });

  it("runs on an agent that can, and where one turn is all there is", async () => {
    expect(await refusal({ turns }, { follows: true, asks: ["input"] })).toBe("none");
    expect(await refusal({ turns: [{ say: "a" }] }, {})).toBe("none");
    expect(await refusal({ task: { description: "x" } }, {})).toBe("none");
  });
});
