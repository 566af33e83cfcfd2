// Who gets a sub-task, on a real registry.
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { openTestRegistry, type TestRegistry } from "../../../test/support/test-registry.ts";
import type { Registration } from "../../core/registration.ts";
import type { RouteQuestion, Router } from "./contract.ts";
import { createRouter, SCORED_AT_MOST } from "./router.ts";

let opened: TestRegistry;
let router: Router;

beforeEach(async () => {
  opened = await openTestRegistry();
  router = newRouter();
});
afterEach(() => opened.close());

function newRouter(random: () => number = Math.random): Router {
  return createRouter({ agents: opened.registry, now: () => opened.clock.now(), random });
}

async function register(...agents: (Partial<Registration> & { name: string })[]): Promise<void> {
  const capabilities = [{ name: "sum", parameters: { type: "object" } }];
  for (const agent of agents)
    await opened.registry.register({ capabilities, interval_seconds: 3600, ...agent });
}

/** The same numbers each time, spread well enough. */
function seededRandom(): () => number {
  let state = 1;
  return () => (state = (state * 48_271) % 0x7fffffff) / 0x7fffffff;
}

function fail(agent: string, times: number): void {
  for (let time = 0; time < times; time++) {
    router.began(agent);
    router.ended(agent, false);
  }
}

describe("an agent that is named for a sub-task", () => {
  it("gets it, and the decision shows how it stands", async () => {
    await register({ name: "a" }, { name: "b" });
    expect(await router.route({ agent: "a", capability: "sum" })).toMatchObject({
      agent: "a",
      by: "named",
      reason: "it was named",
      capability: "sum",
      candidates: [{ agent: "a", score: 1 }],
      rejected: [],
      considered: 1,
      refused: 0,
    });
  });

  it("gets it by its address without a look at the registry", async () => {
    expect(await router.route({ agent: "atp+http://127.0.0.1:9/x", affinity: "k" })).toEqual({
      agent: "atp+http://127.0.0.1:9/x",
      by: "named",
      reason: "its address was given",
      candidates: [],
      rejected: [],
      considered: 0,
      refused: 0,
    });
  });

  it.each([
    [
      "is offline",
      /^offline since .*: its lease has run out$/,
      async () => opened.clock.advance(3 * 3600_000),
    ],
    ["drains", /^draining since/, () => opened.registry.command("a", "drain")],
    ["is retired", /^it is retired$/, () => opened.registry.update("a", { stage: "retired" })],
    ["is not known", /^there is no such agent$/, () => opened.registry.deregister("a")],
  ])("does not get it where it %s, and nobody else does", async (_what, reason, change) => {
    await register({ name: "a" }, { name: "b" });
    await change();
    expect(await router.route({ agent: "a", capability: "sum" })).toEqual({
      agent: null,
      by: "named",
      reason: "a was named, and cannot do it",
      capability: "sum",
      candidates: [],
      rejected: [{ agent: "a", reason: expect.stringMatching(reason) as string }],
      considered: 0,
      refused: 1,
    });
  });

  it("does not get it where the input does not fit its capability", async () => {
    await register({ name: "a" });
    expect(await router.route({ agent: "a", capability: "sum", input: [] })).toMatchObject({
      agent: null,
      rejected: [{ agent: "a", reason: "the input does not fit: the whole: must be object" }],
    });
  });

  it("gets it even where its circuit is open", async () => {
    await register({ name: "a" });
    fail("a", 5);
    expect(await router.route({ agent: "a", capability: "sum" })).toMatchObject({ agent: "a" });
  });

  it.each(["a", "stranger", "atp+http://127.0.0.1:9/x"])(
    "is passed over where it, %s, has failed already, and another with the capability falls in",
    async (agent) => {
      await register({ name: "a" }, { name: "b" });
      const exclude = agent === "a" ? [agent] : [agent, "a"];
      const decision = await router.route({ agent, capability: "sum", exclude });
      expect(decision).toMatchObject({ agent: "b", by: "fallback", considered: 1, refused: exclude.length });
      expect(decision.rejected).toEqual(
        exclude.map((name) => ({ agent: name, reason: "it has failed at this already" })),
      );
    },
  );

  it("has no fallback without a capability", async () => {
    await register({ name: "a" }, { name: "b" });
    expect(await router.route({ agent: "a", exclude: ["a"] })).toMatchObject({
      agent: null,
      by: "fallback",
      reason: "there is no capability by which another agent could be found",
      rejected: [{ agent: "a" }],
      refused: 1,
    });
  });
});

describe("a sub-task for any agent with a capability", () => {
  it("goes to the best, and every other has its score or its reason", async () => {
    await register(
      { name: "good" },
      { name: "busy" },
      { name: "old", version: "1.0.0" },
      { name: "gone" },
      { name: "tried" },
      { name: "broken" },
    );
    await opened.registry.beat("busy", { load: { active: 8, capacity: 8 } });
    for (const name of ["good", "busy", "gone", "tried", "broken"])
      await opened.registry.update(name, { version: "2.0.0" });
    await opened.registry.command("gone", "drain");
    fail("broken", 5);
    const decision = await router.route({ capability: "sum", version: "2", exclude: ["tried"] });
    expect(decision).toMatchObject({
      agent: "good",
      by: "score",
      reason: "it is the best with 1; the next has 0.8",
      considered: 2,
      refused: 4,
    });
    expect(decision.unseen).toBeUndefined();
    expect(decision.candidates.map(({ agent, score }) => [agent, score])).toEqual([
      ["good", 1],
      ["busy", 0.8],
    ]);
    expect(Object.fromEntries(decision.rejected.map(({ agent, reason }) => [agent, reason]))).toEqual({
      tried: "it has failed at this already",
      old: "its version is 1.0.0",
      broken: "its circuit is open for 10 s after 5 failures in a row",
      gone: expect.stringMatching(/^draining since .*: it was told to drain$/) as string,
    });
  });

  it("goes to nobody, with the reason, where nobody has it, can do it, or was asked for", async () => {
    expect(await router.route({ capability: "sum" })).toMatchObject({
      agent: null,
      reason: 'no agent has the capability "sum"',
    });
    await register({ name: "a" });
    expect(await router.route({ capability: "sum", input: 1 })).toMatchObject({
      agent: null,
      reason: 'the only agent with the capability "sum" was refused',
    });
    await register({ name: "b" });
    expect(await router.route({ capability: "sum", input: 1 })).toMatchObject({
      agent: null,
      reason: 'all 2 agents with the capability "sum" were refused',
      refused: 2,
    });
    expect(await router.route({})).toMatchObject({ agent: null });
  });

  it("refuses a version that is no range", async () => {
    await register({ name: "a" });
    const route = router.route({ capability: "sum", version: "latest please" });
    await expect(route).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });

  it("goes to one in testing where that is asked for, or nobody in production can do it", async () => {
    await register({ name: "a" }, { name: "b", stage: "testing", labels: { team: "x" } });
    expect(await router.route({ capability: "sum" })).toMatchObject({ agent: "a" });
    const labels = { stage: "testing", team: "x" };
    expect(await router.route({ capability: "sum", labels })).toMatchObject({
      agent: "b",
      rejected: [{ agent: "a", reason: "its stage is production" }],
    });
    expect(await router.route({ capability: "sum", exclude: ["a"] })).toMatchObject({ agent: "b" });
  });

  it("goes to the same agent each time with the same numbers", async () => {
    await register(...["a", "b", "c", "d"].map((name) => ({ name })));
    for (const place of [0, 0.3, 0.6, 0.9]) {
      const first = await newRouter(() => place).route({ capability: "sum" });
      expect(await newRouter(() => place).route({ capability: "sum" })).toEqual(first);
    }
  });

  it("goes to a sample where very many can do it, and says how many it did not look at", async () => {
    const names = Array.from({ length: SCORED_AT_MOST + 6 }, (_, number) => ({ name: `agent-${number}` }));
    await register(...names);
    const decision = await router.route({ capability: "sum" });
    expect(decision).toMatchObject({ considered: SCORED_AT_MOST, refused: 0, unseen: 6 });
    expect(decision.candidates).toHaveLength(20);
  });

  it("never goes to an agent that was refused", async () => {
    const names = ["a", "b", "c", "d", "e"];
    await register(...names.map((name) => ({ name, labels: { half: name < "c" ? "first" : "second" } })));
    const question = fc.record(
      {
        exclude: fc.subarray(names),
        labels: fc.constantFrom({ half: "first" }, { half: "second" }),
        affinity: fc.constantFrom("x", "y"),
        agent: fc.constantFrom(...names, "stranger"),
      },
      { requiredKeys: [] },
    );
    const failing = fc.subarray(names);
    const property = fc.asyncProperty(question, failing, async (asked: RouteQuestion, failed) => {
      for (const agent of failed) router.ended(agent, false);
      const decision = await router.route({ capability: "sum", ...asked });
      expect(decision.rejected.map(({ agent }) => agent)).not.toContain(decision.agent);
      expect(asked.exclude ?? []).not.toContain(decision.agent);
      expect(decision.rejected).toHaveLength(decision.refused);
    });
    await fc.assert(property, { numRuns: propertyRuns(300) });
  });

  it("is spread evenly among equal agents", async () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    await register(...names.map((name) => ({ name })));
    router = newRouter(seededRandom());
    const counts = new Map(names.map((name) => [name, 0]));
    for (let round = 0; round < 160; round++) {
      const { agent } = await router.route({ capability: "sum" });
      router.began(agent ?? "");
      counts.set(agent ?? "", (counts.get(agent ?? "") ?? 0) + 1);
    }
    // Each gets 20 on average; drawing lots would leave about 12 between the most and the least.
    expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(6);
    for (const [name, count] of counts) for (let run = 0; run < count; run++) router.ended(name, true);
    expect((await router.route({ capability: "sum" })).candidates).toMatchObject(
      names.map(() => ({ score: 1 })),
    );
  });
});

describe("runs with the same affinity", () => {
  it("go to the same agent while it can, and to another from then on", async () => {
    await register(...["a", "b", "c", "d"].map((name) => ({ name })));
    const question = { capability: "sum", affinity: "chat" };
    const { agent: first } = await router.route(question);
    for (let round = 0; round < 10; round++) {
      router.began(first ?? "");
      expect(await router.route(question)).toMatchObject({
        agent: first,
        by: "affinity",
        reason: 'it had the earlier runs of "chat"',
      });
    }
    await opened.registry.command(first ?? "", "drain");
    const { agent: second, by } = await router.route(question);
    expect([second === first, by]).toEqual([false, "score"]);
    await opened.registry.command(first ?? "", "resume");
    expect(await router.route(question)).toMatchObject({ agent: second, by: "affinity" });
  });

  it.each([
    ["has failed", { exclude: ["a"] }],
    ["does not fit", { labels: { team: "x" } }],
  ])("do not go to the agent of the conversation where it %s", async (_what, more) => {
    await register({ name: "a" }, { name: "b", labels: { team: "x" } });
    router.remember("chat", "a");
    const question = { capability: "sum", affinity: "chat" };
    expect(await router.route(question)).toMatchObject({ agent: "a", by: "affinity" });
    expect(await router.route({ ...question, ...more })).toMatchObject({ agent: "b", by: "score" });
  });

  it("do not go to an agent whose circuit is open", async () => {
    await register({ name: "a" }, { name: "b" });
    router.remember("chat", "a");
    fail("a", 5);
    expect(await router.route({ capability: "sum", affinity: "chat" })).toMatchObject({ agent: "b" });
  });
});
